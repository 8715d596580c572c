#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/kernels/gemm_trace.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/step.hpp>

namespace tc::kernels {
namespace {

/// "[B01----:R-:W5:-:S08]".
std::string control_text(const isa::control_code& control) {
  std::string text = "[B";
  for (unsigned b = 0; b < isa::control_code::barriers; ++b) text += (control.wait_mask >> b & 1) != 0 ? static_cast<char>('0' + b) : '-';
  const auto name = [](std::uint8_t barrier) {
    return barrier == isa::control_code::no_barrier ? std::string("-") : std::to_string(barrier);
  };
  return text + fmt::format(":R{}:W{}:{}:S{:02}]", name(control.read_barrier), name(control.write_barrier), control.yield ? 'Y' : '-',
                            control.stall_cycles);
}

std::string hex_digits(const std::vector<std::uint8_t>& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace

gemm_trace::gemm_trace(const gemm_plan& plan, const gemm_program& program, const gemm_matrices& matrices)
    : plan_(plan), program_(program), matrices_(matrices) {
  std::uint32_t pc = 0;
  for (const code_block& block : program.code().blocks) {
    auto& lines = code_.emplace_back();
    for (const kernel_instruction& instruction : block.instructions) {
      lines.push_back(fmt::format("/*{:04x}*/ {} {}", pc, control_text(*instruction.code.control), instruction.code.text));
      pc += trace::instruction_bytes;
    }
  }
}

std::string gemm_trace::kernel_name(const gemm_problem& problem) {
  return fmt::format("gemm_{}_{}x{}x{}", problem.precision.name, problem.m, problem.n, problem.k);
}

/// The next warp's part.
gemm_trace::int_type gemm_trace::underflow() {
  text_.clear();
  if (!has_begun_) {
    write_header();
    has_begun_ = true;
  } else if (cta_y_ < plan_.grid_y()) {
    write_warp();
  }
  setg(text_.data(), text_.data(), text_.data() + text_.size());
  return text_.empty() ? traits_type::eof() : traits_type::to_int_type(text_.front());
}

void gemm_trace::write_header() {
  auto out = std::back_inserter(text_);
  fmt::format_to(out, "tcsim-trace 1\narch {}\nkernel {}\ngrid {} {} 1\nblock {} 1 1\nregisters {}\nshared {}\n", isa::name(plan_.arch),
                 kernel_name(plan_.problem), plan_.grid_x(), plan_.grid_y(), plan_.threads, plan_.registers.count, plan_.shared_bytes);
  fmt::format_to(out, "constant 0 {:#x} 24 hex ", program_.parameter_offset());
  for (const std::uint64_t address : {plan_.a_base, plan_.b_base, plan_.d_base})
    for (unsigned byte = 0; byte < 8; ++byte) fmt::format_to(out, "{:02x}", address >> 8 * byte & 0xff);
  fmt::format_to(out, "\nmemory {:#x} {} hex {}\n", plan_.a_base, plan_.a_bytes(), hex_digits(matrices_.a));
  fmt::format_to(out, "memory {:#x} {} hex {}\n", plan_.b_base, plan_.b_bytes(), hex_digits(matrices_.b));
  fmt::format_to(out, "memory {:#x} {} zero\n", plan_.d_base, plan_.d_bytes());
  if (!matrices_.d.empty()) fmt::format_to(out, "expect {:#x} {} hex {}\n", plan_.d_base, plan_.d_bytes(), hex_digits(matrices_.d));
}

void gemm_trace::write_warp() {
  if (warp_ == 0) fmt::format_to(std::back_inserter(text_), "cta {} {} 0\n", cta_x_, cta_y_);
  fmt::format_to(std::back_inserter(text_), "warp {}\n", warp_);
  for (const block_visit& pass : program_.code().path) write_pass(pass);
  if (++warp_ < plan_.warps()) return;
  warp_ = 0;
  if (++cta_x_ < plan_.grid_x()) return;
  cta_x_ = 0;
  ++cta_y_;
}

void gemm_trace::write_pass(const block_visit& pass) {
  const auto& instructions = program_.code().blocks[pass.block].instructions;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    text_ += code_[pass.block][i];
    if (!pass.executes(instructions[i].code))
      text_ += " mask 00000000";
    else if (instructions[i].memory.base != nullptr)
      write_addresses(instructions[i].memory, pass.tile);
    text_ += '\n';
  }
}

void gemm_trace::write_addresses(const memory_operand& memory, unsigned tile) {
  const std::uint64_t offset = memory.offset + memory.advance_per_tile * tile;
  auto out = std::back_inserter(text_);
  for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
    fmt::format_to(out, FMT_COMPILE("{}{:#x}"), lane == 0 ? " @ {" : ", ",
                   memory.base->at(warp_ * trace::warp_lanes + lane, cta_x_, cta_y_) + offset);
  text_ += '}';
}

}  // namespace tc::kernels
