// SPDX-License-Identifier: Apache-2.0
#include "code_records.hpp"

#include <algorithm>
#include <string_view>

#include <tc/isa/number_text.hpp>
#include <tc/trace/line_reader.hpp>

namespace tc::launches {

namespace {

bool begins_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// Collects the values of one record, which the listing names in a comment: "nvinfo : EIATTR_REGCOUNT".
class record_reader {
 public:
  explicit record_reader(const std::string& kernel) : kernel_(kernel), own_section_(".nv.info." + kernel) {}

  void read(std::string_view line) {
    line = without_blanks(line);
    constexpr std::string_view section = ".section", note = "//----- nvinfo : ";
    if (line.substr(0, line.find_first_of(" \t")) == section) {
      finish_record();
      const std::string_view rest = without_blanks(line.substr(section.size()));
      const std::string_view name = rest.substr(0, rest.find(','));
      is_own_ = name == own_section_;
      is_read_ = is_own_ || name == ".nv.info";
    } else if (is_read_ && begins_with(line, note)) {
      finish_record();
      attribute_ = line.substr(note.size());
    } else if (is_read_ && begins_with(line, "/*") && !attribute_.empty()) {
      read_values(without_blanks(line.substr(std::min(line.size(), line.find("*/") + 2))));
    }
  }

  code_records finish() {
    finish_record();
    auto& parameters = records_.parameters;
    std::sort(parameters.begin(), parameters.end(), [](const auto& x, const auto& y) { return x.offset < y.offset; });
    return records_;
  }

 private:
  /// ".word 0x20", ".byte 0x04, 0x2f", ".word index@(NAME)".
  void read_values(std::string_view text) {
    const std::string_view directive = text.substr(0, text.find_first_of(" \t"));
    const unsigned bytes = directive == ".byte" ? 1 : directive == ".short" ? 2 : 4;
    std::string_view rest = text.substr(directive.size());
    constexpr std::string_view index = "index@(";
    if (const std::size_t at = rest.find(index); at != std::string_view::npos) {
      const std::string_view named = rest.substr(at + index.size());
      name_ = named.substr(0, named.find(')'));
    }
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto value = isa::parse_unsigned(without_blanks(rest.substr(0, comma)));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      for (unsigned i = 0; i < bytes; ++i) content_.push_back(value ? static_cast<std::uint8_t>(*value >> 8 * i) : 0);
    }
  }

  /// A word behind the four bytes in which each record says its form, its attribute and its size.
  std::uint32_t word(std::size_t offset) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      if (4 + offset + i < content_.size()) value |= std::uint32_t{content_[4 + offset + i]} << 8 * i;
    return value;
  }

  void finish_record() {
    const bool is_of_kernel = is_own_ || name_ == kernel_;
    if (is_of_kernel && attribute_ == "EIATTR_REGCOUNT") records_.registers = word(4);
    if (is_of_kernel && attribute_ == "EIATTR_FRAME_SIZE") records_.frame_bytes = word(4);
    if (is_of_kernel && attribute_ == "EIATTR_MIN_STACK_SIZE") records_.stack_bytes = word(4);
    if (is_own_ && attribute_ == "EIATTR_MAX_THREADS") records_.most_threads = word(0) * word(4) * word(8);
    if (is_own_ && attribute_ == "EIATTR_REQNTID") records_.block = trace::dim3{word(0), word(4), word(8)};
    if (is_own_ && attribute_ == "EIATTR_CTA_PER_CLUSTER") records_.cluster = trace::dim3{word(0), word(4), word(8)};
    if (is_own_ && attribute_ == "EIATTR_KPARAM_INFO") {
      constexpr unsigned size_begin = 18;  // of the last word, bits below are of the parameter's space
      records_.parameters.push_back({word(4) & 0xffffU, word(4) >> 16U, word(8) >> size_begin});
    }
    attribute_.clear();
    name_.clear();
    content_.clear();
  }

  const std::string& kernel_;
  std::string own_section_, attribute_, name_;
  std::vector<std::uint8_t> content_;
  bool is_read_ = false, is_own_ = false;
  code_records records_;
};

}  // namespace

code_records read_code_records(const std::filesystem::path& listing, const std::string& kernel) {
  trace::line_reader lines(listing);
  record_reader reader(kernel);
  std::string_view line;
  while (lines.next(line)) reader.read(line);
  return reader.finish();
}

}  // namespace tc::launches
