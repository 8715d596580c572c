#include "kernel_text.hpp"

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

/// The next warp's part.
kernel_text::int_type kernel_text::underflow() {
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

void kernel_text::append_next_warp() {
  if (next_.warp == 0) fmt::format_to(std::back_inserter(text_), "cta {} {} 0\n", next_.cta_x, next_.cta_y);
  fmt::format_to(std::back_inserter(text_), "warp {}\n", next_.warp);
  append_warp(text_, next_);
  if (++next_.warp < warps_) return;
  next_.warp = 0;
  if (++next_.cta_x < grid_x_) return;
  next_.cta_x = 0;
  ++next_.cta_y;
}

void kernel_text::append_arguments(std::string& text, std::uint32_t parameter_offset, const std::vector<std::uint64_t>& addresses) {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "constant 0 {:#x} {} hex ", parameter_offset, addresses.size() * sizeof(std::uint64_t));
  for (const std::uint64_t address : addresses)
    for (unsigned byte = 0; byte < sizeof(std::uint64_t); ++byte) fmt::format_to(out, "{:02x}", address >> 8 * byte & 0xff);
  text += '\n';
}

void kernel_text::append_content(std::string& text, std::string_view keyword, std::uint64_t address,
                                 const std::vector<std::uint8_t>& bytes) {
  fmt::format_to(std::back_inserter(text), "{} {:#x} {} hex {}\n", keyword, address, bytes.size(), hex_digits(bytes));
}

}  // namespace tc::kernels
