// SPDX-License-Identifier: Apache-2.0
#include "kernel_text.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace tc::kernels {
namespace {

/// Half of what trace::line_reader takes, in digits.
constexpr std::size_t most_line_bytes = std::size_t{1} << 22;

/// Bytes that somebody else keeps.
class kept_bytes final : public trace::content_source {
 public:
  explicit kept_bytes(const std::uint8_t* bytes) : bytes_(bytes) {}
  void copy(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const override {
    std::memcpy(destination, bytes_ + offset, count);
  }

 private:
  const std::uint8_t* bytes_;
};

/// Samples of a content, of which nothing else is asked for.
class kept_samples final : public trace::content_source {
 public:
  kept_samples(const std::vector<trace::byte_range>& samples, const std::uint8_t* bytes) : bytes_(bytes) {
    std::uint64_t begin = 0;
    for (const trace::byte_range& sample : samples) {
      begins_.emplace_hint(begins_.end(), sample.offset, begin);
      begin += sample.bytes;
    }
  }
  void copy(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const override {
    const auto& [first, begin] = *std::prev(begins_.upper_bound(offset));
    std::memcpy(destination, bytes_ + begin + (offset - first), count);
  }

 private:
  const std::uint8_t* bytes_;
  std::map<std::uint64_t, std::uint64_t> begins_;  ///< from offset in the content to place among the bytes
};

std::string content_text(std::string_view keyword, std::uint64_t address, std::uint64_t size) {
  return fmt::format("{} {:#x} {} hex ", keyword, address, size);
}

}  // namespace

void header_lines::add_arguments(std::uint32_t parameter_offset, const std::vector<std::uint64_t>& addresses) {
  std::string text = fmt::format("constant 0 {:#x} {} hex ", parameter_offset, addresses.size() * sizeof(std::uint64_t));
  for (const std::uint64_t address : addresses)
    for (unsigned byte = 0; byte < sizeof(std::uint64_t); ++byte)
      fmt::format_to(std::back_inserter(text), "{:02x}", address >> 8 * byte & 0xff);
  add(std::move(text));
}

void header_lines::add_digits(std::string_view keyword, std::uint64_t address, const std::uint8_t* bytes, std::size_t count) {
  lines_.push_back({content_text(keyword, address, count), bytes, count});
}

void header_lines::add_content(std::string_view keyword, std::uint64_t address, const std::vector<std::uint8_t>& bytes) {
  for (std::size_t first = 0; first < bytes.size(); first += most_line_bytes)
    add_digits(keyword, address + first, &bytes[first], std::min(most_line_bytes, bytes.size() - first));
}

void header_lines::add_samples(std::uint64_t address, std::uint64_t size, const std::vector<trace::byte_range>& samples,
                               const std::vector<std::uint8_t>& bytes) {
  sampled_ = sampled_content{lines_.size(), samples.size(), address, size, &samples, bytes.data()};
  const std::uint8_t* next = bytes.data();
  for (const trace::byte_range& sample : samples) {
    add_digits("expect", address + sample.offset, next, sample.bytes);
    next += sample.bytes;
  }
}

trace::trace_builder header_lines::begin_trace(const std::string& name, const trace::size_limits& limits) const {
  std::string text;
  std::map<std::uint64_t, std::shared_ptr<const trace::content_source>> contents;  // by line
  std::uint64_t number = 0;
  const auto add_kept = [&](const std::string& before_digits, std::shared_ptr<const trace::content_source> content) {
    text += before_digits + '\n';
    contents[++number] = std::move(content);
  };
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const line& each = lines_[i];
    if (sampled_ && i == sampled_->first_line) {
      add_kept(content_text("expect", sampled_->address, sampled_->size),
               std::make_shared<const kept_samples>(*sampled_->samples, sampled_->bytes));
      i += sampled_->line_count - 1;
    } else if (each.bytes != nullptr) {
      add_kept(each.text, std::make_shared<const kept_bytes>(each.bytes));
    } else {
      text += each.text + '\n';
      ++number;
    }
  }
  trace::trace_builder trace(
      name, text,
      [&contents](std::uint64_t at, std::uint64_t bytes) -> std::optional<trace::memory_content> {
        const auto found = contents.find(at);
        if (found == contents.end()) return std::nullopt;
        return trace::memory_content::part(found->second, bytes);
      },
      limits);
  if (sampled_) trace.header().expectations.back().samples = *sampled_->samples;
  return trace;
}

namespace {

void append_digits(std::string& text, const std::uint8_t* bytes, std::size_t count) {
  static constexpr char digits[] = "0123456789abcdef";
  for (std::size_t i = 0; i < count; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
}

/// Writes a line for each instruction.
class text_target final : public listing_target {
 public:
  explicit text_target(std::string& text) : text_(text) {}

  void add(std::uint32_t pc, std::string_view code, std::optional<trace::lane_mask> mask, const trace::address_list& addresses) override {
    auto out = std::back_inserter(text_);
    fmt::format_to(out, FMT_COMPILE("/*{:04x}*/ {}"), pc, code);
    if (mask) fmt::format_to(out, FMT_COMPILE(" mask {:08x}"), *mask);
    const char* before = " @ {";
    trace::for_each_lane(addresses.lanes(), [&](unsigned lane) {
      fmt::format_to(out, FMT_COMPILE("{}{:#x}"), before, addresses[lane]);
      before = ", ";
    });
    text_ += addresses.empty() ? "\n" : "}\n";
  }

 private:
  std::string& text_;
};

/// Adds a step for each instruction.
class trace_target final : public listing_target {
 public:
  /// Of a warp that stands in a line.
  trace_target(trace::trace_builder& trace, std::uint64_t line) : trace_(trace) { step_.line = line; }

  void add(std::uint32_t pc, std::string_view code, std::optional<trace::lane_mask> mask, const trace::address_list& addresses) override {
    step_.code_index = trace_.add_code(code, ++step_.line);
    step_.pc = pc;
    step_.mask = mask.value_or(trace::all_lanes);
    if (addresses.empty())
      step_.addresses.clear();
    else
      step_.addresses = addresses;
    trace_.add(step_);
  }

  std::uint64_t line() const { return step_.line; }

 private:
  trace::trace_builder& trace_;
  trace::step step_;
};

}  // namespace

trace::address_list addresses_of(const linear_address& address, std::uint64_t offset, warp_place place) {
  trace::address_list addresses;
  for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
    addresses.set(lane, address.at(place.warp * trace::warp_lanes + lane, place.cta_x, place.cta_y) + offset);
  return addresses;
}

trace::trace kernel_text::made(const std::string& name, const trace::size_limits& limits) const {
  header_lines header;
  append_header(header);
  return finished(header.begin_trace(name, limits), header.lines().size());
}

trace::trace kernel_text::finished(trace::trace_builder trace, std::size_t header_lines) const {
  std::uint64_t line = header_lines;
  for (unsigned y = 0; y < grid_y_; ++y) {
    for (unsigned x = 0; x < grid_x_; ++x) {
      trace.add_cta(x, y, 0);
      ++line;
      for (unsigned warp = 0; warp < warps_; ++warp) {
        trace.begin_warp(warp, ++line);
        trace_target target(trace, line);
        list_warp(target, {x, y, warp});
        line = target.line();
      }
    }
  }
  return std::move(trace).finish();
}

void kernel_text::append_launch(header_lines& header, std::string_view arch, std::string_view kernel, unsigned registers,
                                std::uint64_t shared_bytes) const {
  header.add("tcsim-trace 1");
  header.add(fmt::format("arch {}", arch));
  header.add(fmt::format("kernel {}", kernel));
  header.add(fmt::format("grid {} {} 1", grid_x_, grid_y_));
  header.add(fmt::format("block {} 1 1", warps_ * trace::warp_lanes));
  header.add(fmt::format("registers {}", registers));
  header.add(fmt::format("shared {}", shared_bytes));
}

kernel_text::int_type kernel_text::underflow() {
  text_.clear();
  if (header_.lines().empty()) append_header(header_);
  if (header_line_ < header_.lines().size())
    append_next_piece();
  else if (next_.cta_y < grid_y_)
    append_next_warp();
  setg(text_.data(), text_.data(), text_.data() + text_.size());
  return text_.empty() ? traits_type::eof() : traits_type::to_int_type(text_.front());
}

/// Of the header: a line, or so much of it as shall be in memory at a time.
void kernel_text::append_next_piece() {
  constexpr std::size_t most_bytes = 65536;
  const header_lines::line& line = header_.lines()[header_line_];
  if (header_digits_ == 0) text_ += line.text;
  const std::size_t count = std::min(most_bytes, line.count - header_digits_);
  append_digits(text_, line.bytes + header_digits_, count);
  header_digits_ += count;
  if (header_digits_ < line.count) return;
  text_ += '\n';
  header_digits_ = 0;
  ++header_line_;
}

void kernel_text::append_next_warp() {
  if (next_.warp == 0) fmt::format_to(std::back_inserter(text_), "cta {} {} 0\n", next_.cta_x, next_.cta_y);
  fmt::format_to(std::back_inserter(text_), "warp {}\n", next_.warp);
  text_target target(text_);
  list_warp(target, next_);
  if (++next_.warp < warps_) return;
  next_.warp = 0;
  if (++next_.cta_x < grid_x_) return;
  next_.cta_x = 0;
  ++next_.cta_y;
}

}  // namespace tc::kernels
