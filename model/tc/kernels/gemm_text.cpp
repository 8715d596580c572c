#include "gemm_text.hpp"

#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/trace/lanes.hpp>

namespace tc::kernels {
namespace {

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

std::string address_list(const linear_address& address, std::uint64_t offset, warp_place place) {
  std::string text;
  for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}{:#x}"), lane == 0 ? " @ {" : ", ",
                   address.at(place.warp * trace::warp_lanes + lane, place.cta_x, place.cta_y) + offset);
  return text + '}';
}

std::string gemm_text::kernel_name(const gemm_problem& problem) {
  return fmt::format("gemm_{}_{}x{}x{}", problem.precision.name, problem.m, problem.n, problem.k);
}

/// The next warp's part.
gemm_text::int_type gemm_text::underflow() {
  text_.clear();
  if (!has_begun_) {
    append_header(text_);
    has_begun_ = true;
  } else if (next_.cta_y < grid_y_) {
    append_next_warp();
  }
  setg(text_.data(), text_.data(), text_.data() + text_.size());
  return text_.empty() ? traits_type::eof() : traits_type::to_int_type(text_.front());
}

void gemm_text::append_next_warp() {
  if (next_.warp == 0) fmt::format_to(std::back_inserter(text_), "cta {} {} 0\n", next_.cta_x, next_.cta_y);
  fmt::format_to(std::back_inserter(text_), "warp {}\n", next_.warp);
  append_warp(text_, next_);
  if (++next_.warp < warps_) return;
  next_.warp = 0;
  if (++next_.cta_x < grid_x_) return;
  next_.cta_x = 0;
  ++next_.cta_y;
}

void gemm_text::append_memory(std::string& text, const gemm_problem& problem, const matrix_placement& memory,
                              std::uint32_t parameter_offset, const gemm_matrices& matrices) {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "constant 0 {:#x} 24 hex ", parameter_offset);
  for (const std::uint64_t address : {memory.a, memory.b, memory.d})
    for (unsigned byte = 0; byte < 8; ++byte) fmt::format_to(out, "{:02x}", address >> 8 * byte & 0xff);
  fmt::format_to(out, "\nmemory {:#x} {} hex {}\n", memory.a, problem.a_bytes(), hex_digits(matrices.a));
  fmt::format_to(out, "memory {:#x} {} hex {}\n", memory.b, problem.b_bytes(), hex_digits(matrices.b));
  fmt::format_to(out, "memory {:#x} {} zero\n", memory.d, problem.d_bytes());
  if (!matrices.d.empty()) fmt::format_to(out, "expect {:#x} {} hex {}\n", memory.d, problem.d_bytes(), hex_digits(matrices.d));
}

}  // namespace tc::kernels
