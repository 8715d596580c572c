// SPDX-License-Identifier: Apache-2.0
#include "gemm_pointer.hpp"

#include <fmt/format.h>

#include <tc/kernels/gemm_registers.hpp>

namespace tc::kernels {
namespace {

void add_cta(code_writer& code, std::string_view dimension, std::uint32_t stride, unsigned target, std::uint8_t barrier) {
  code.add(fmt::format("S2R R{}, SR_CTAID.{}", gemm_registers::cta, dimension), barrier);
  code.add(fmt::format("IMAD R{0}, R{1}, {2:#x}, R{0}", target, gemm_registers::cta, stride));
}

}  // namespace

void compute_address(code_writer& code, const linear_address& address, unsigned target) {
  bool is_first = true;
  for (const linear_address::field& field : address.fields()) {
    const unsigned scratch = gemm_registers::scratch;
    unsigned source = gemm_registers::thread;
    if (field.first_bit > 0) {
      code.add(fmt::format("SHF.R.U32.HI R{}, RZ, {:#x}, R{}", scratch, field.first_bit, source));
      source = scratch;
    }
    code.add(fmt::format("LOP3.LUT R{}, R{}, {:#x}, RZ, 0xc0, !PT", scratch, source, (1u << field.bits) - 1));
    code.add(fmt::format("IMAD R{}, R{}, {:#x}, {}", target, scratch, field.stride, is_first ? "RZ" : fmt::format("R{}", target)));
    is_first = false;
  }
  if (is_first) code.add(fmt::format("IMAD.MOV.U32 R{}, RZ, RZ, RZ", target));
}

void compute_pointer(code_writer& code, const linear_address& address, unsigned pointer, unsigned parameter, std::uint8_t barrier) {
  constexpr unsigned parameter_bytes = 8;
  compute_address(code, address, pointer);
  if (address.cta_x_stride() != 0) add_cta(code, "X", address.cta_x_stride(), pointer, barrier);
  if (address.cta_y_stride() != 0) add_cta(code, "Y", address.cta_y_stride(), pointer, barrier);
  const unsigned constant = isa::info(code.arch()).parameter_offset + parameter_bytes * parameter;
  code.add(fmt::format("IADD3 R{0}, P0, R{0}, c[0x0][{1:#x}], RZ", pointer, constant));
  code.add(fmt::format("IADD3.X R{}, RZ, c[0x0][{:#x}], RZ, P0, !PT", pointer + 1, constant + 4));
}

void load_global_descriptor(code_writer& code, std::uint8_t barrier) {
  const isa::architecture_info& arch = isa::info(code.arch());
  if (arch.global == isa::global_reference::descriptor)
    code.add(fmt::format("ULDC.64 UR4, c[0x0][{:#x}]", arch.descriptor_offset), barrier);
}

std::string global_reference(isa::architecture arch, unsigned pointer, std::uint64_t offset) {
  const std::string plus = offset == 0 ? "" : fmt::format("+{:#x}", offset);
  switch (isa::info(arch).global) {
    case isa::global_reference::descriptor:
      return fmt::format("desc[UR4][R{}.64{}]", pointer, plus);
    case isa::global_reference::wide_pointer:
      return fmt::format("[R{}.64{}]", pointer, plus);
    default:
      return fmt::format("[R{}{}]", pointer, plus);
  }
}

std::string_view width_suffix(unsigned bytes) { return bytes == 16 ? ".128" : bytes == 8 ? ".64" : ""; }

}  // namespace tc::kernels
