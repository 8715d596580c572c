// SPDX-License-Identifier: Apache-2.0
#include "header_lines.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

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

}  // namespace tc::kernels
