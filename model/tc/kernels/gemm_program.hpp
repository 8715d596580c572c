// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/kernels/gemm_addresses.hpp>
#include <tc/kernels/gemm_code.hpp>
#include <tc/kernels/gemm_plan.hpp>

namespace tc::kernels {

/// The code of a GEMM kernel, in the style of compiled kernels: tiles of A and B go from global memory through registers into shared
/// memory, from there as fragments into registers, and the sums in the end to global memory. With two buffers, the copy to shared memory
/// runs one tile ahead of the multiplication, the loads from global memory two, and the fragments one matrix step.
class gemm_program {
 public:
  gemm_program(const gemm_plan& plan, const config::machine& machine);
  gemm_program(const gemm_program&) = delete;
  gemm_program& operator=(const gemm_program&) = delete;

  /// With control codes; refers to this program's addresses.
  const kernel_code& code() const { return code_; }
  /// First constant of the kernel's parameters, the addresses of A, B and D, in constant bank 0.
  std::uint32_t parameter_offset() const;

 private:
  /// A memory instruction that is issued between matrix instructions.
  struct access {
    std::string text;
    std::uint8_t barrier;
    memory_operand memory;
  };
  using accesses = std::vector<access>;
  /// A matrix instruction and the first registers of its operands.
  struct product {
    const matrix_instruction* instruction;
    unsigned a, b, c;
  };

  code_writer new_block();
  void write_prologue();
  void write_buffered_loop();
  void write_plain_loop();
  void write_epilogue();
  void write_tile(code_writer& code, unsigned parity, bool is_last);
  void follow_path();

  void advance_pointers(code_writer& code);
  void clear_accumulators(code_writer& code);
  void count_tiles(code_writer& code);
  void synchronize(code_writer& code) const;

  accesses global_loads(unsigned tiles_ahead) const;
  accesses shared_stores(unsigned stage) const;
  accesses fragment_loads_of(unsigned step, unsigned stage, unsigned buffer) const;
  access fragment_load(isa::fragment which, unsigned index, unsigned step, unsigned stage, unsigned buffer) const;
  void append_copies(accesses& list, const tile_copy& copy, const linear_address& address, unsigned pointer, unsigned staging,
                     unsigned tiles_ahead) const;
  void append_stores(accesses& list, const tile_copy& copy, const linear_address& address, unsigned base, unsigned staging,
                     unsigned stage) const;
  static void issue(code_writer& code, const accesses& list) { issue(code, list.begin(), list.end()); }
  static void issue(code_writer& code, accesses::const_iterator first, accesses::const_iterator last);
  void multiply(code_writer& code, unsigned buffer, const accesses& between) const;
  std::vector<product> products(unsigned buffer) const;
  std::string text_of(const product& current, const product* next) const;

  const gemm_plan& plan_;
  const gemm_addresses addresses_;
  kernel_code code_;
};

}  // namespace tc::kernels
