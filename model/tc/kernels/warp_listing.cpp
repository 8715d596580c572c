#include "warp_listing.hpp"

#include <iterator>

#include <fmt/format.h>

#include <tc/trace/step.hpp>

namespace tc::kernels {

void warp_listing::add(const code_block& block) {
  for (const kernel_instruction& instruction : block.instructions) add(instruction.code.text);
}

void warp_listing::add_access(std::string_view instruction, const linear_address& address, std::uint64_t offset, warp_place place) {
  add_line(instruction, address_list(address, offset, place));
}

void warp_listing::add_line(std::string_view instruction, std::string_view behind) {
  fmt::format_to(std::back_inserter(text_), "/*{:04x}*/ {}{}\n", pc_, instruction, behind);
  pc_ += trace::instruction_bytes;
}

}  // namespace tc::kernels
