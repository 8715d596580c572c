// SPDX-License-Identifier: Apache-2.0
#include "sass_listing.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/trace/line_reader.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::importers {
namespace {

constexpr std::string_view instruction_form = "'/*pc*/ INSTRUCTION ; /* 0x0123456789abcdef */'";
constexpr std::string_view word_form = "'/* 0x0123456789abcdef */'; make the listing with nvdisasm -hex";
constexpr std::size_t listed_pc_digits = 8, half_digits = 16;

/// What stands in `text` between `begin` and the first character of `ends` behind it; nothing if `begin` does not occur.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view ends) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find_first_of(ends));
}

class listing_reader {
 public:
  listing_reader(const std::filesystem::path& path, const std::string& kernel, std::size_t max_instructions)
      : lines_(path), wanted_(kernel), max_instructions_(max_instructions) {
    kernel_.file = lines_.name();
  }

  sass_kernel read() {
    std::string_view text;
    while (lines_.next(text)) {
      trace::text_cursor in({lines_.name(), lines_.line(), text});
      if (!in.at_end()) read_line(in, text.substr(in.position()));
    }
    finish();
    return std::move(kernel_);
  }

 private:
  void read_line(trace::text_cursor& in, std::string_view text) {
    if (is_low_read_) return read_high_half(in);
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    if (word == ".section") return begin_section(in);
    if (word == ".target") return read_target(in);
    if (!is_wanted_) return;
    if (text.rfind("/*", 0) == 0) return read_instruction(in);
    if (const auto count = between(text, "SHI_REGISTERS=", "\"")) return read_registers(in, *count);
    if (text.rfind(".L", 0) == 0 && text.back() == ':') kernel_.labels[std::string(text.substr(0, text.size() - 1))] = next_pc_;
  }

  void begin_section(const trace::text_cursor& in) {
    const auto name = between(in.line().text, ".text.", ",\" \t");
    is_wanted_ = name && (wanted_.empty() ? names_.empty() : *name == wanted_);
    if (!name) return;
    names_.emplace_back(*name);
    if (!is_wanted_) return;
    kernel_.name = *name;
    kernel_.line = in.line().number;
  }

  /// "sm_100a" is sm_100 with instructions that only it has.
  void read_target(trace::text_cursor& in) {
    in.word();
    in.at_end();
    const std::size_t position = in.position();
    const std::string_view target = in.rest();
    const std::string_view arch = target.substr(0, target.find_last_of("0123456789") + 1);
    const auto found = isa::find_architecture(arch);
    if (!found) in.fail_at(position, fmt::format("unknown target '{}'; known are {}", target, isa::architecture_names()));
    kernel_.arch = *found;
    has_target_ = true;
  }

  void read_registers(const trace::text_cursor& in, std::string_view digits) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size())
      in.fail_at(static_cast<std::size_t>(digits.data() - in.line().text.data()), "SHI_REGISTERS must be a number");
    kernel_.registers = count;
  }

  void read_instruction(trace::text_cursor& in) {
    listed_instruction instruction;
    instruction.line = in.line().number;
    in.expect("/*", instruction_form);
    const std::size_t pc_position = in.position();
    instruction.pc = static_cast<std::uint32_t>(in.hex_digits("the pc", listed_pc_digits));
    in.expect("*/", instruction_form);
    if (instruction.pc != next_pc_) in.fail_at(pc_position, fmt::format("the pc is {:04x}; it must be {:04x}", instruction.pc, next_pc_));
    next_pc_ += trace::instruction_bytes;
    if (in.at_end()) in.fail(fmt::format("the instruction is missing; the form is {}", instruction_form));
    instruction.column = static_cast<std::uint32_t>(in.position() + 1);
    const std::string_view rest = in.line().text.substr(in.position());
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos) in.fail(fmt::format("the instruction has no ';' behind it; the form is {}", instruction_form));
    const std::size_t last = rest.substr(0, end).find_last_not_of(" \t");
    if (last == std::string_view::npos) in.fail(fmt::format("the instruction is missing; the form is {}", instruction_form));
    instruction.text = rest.substr(0, last + 1);
    in.skip_to(in.position() + end + 1);
    instruction.word.low = read_half(in);
    if (kernel_.code.size() == max_instructions_) in.fail_at(0, fmt::format("more than {} instructions in the kernel", max_instructions_));
    kernel_.code.push_back(std::move(instruction));
    is_low_read_ = true;
  }

  /// The second half of an instruction's word stands alone on the next line.
  void read_high_half(trace::text_cursor& in) {
    isa::instruction_word& word = kernel_.code.back().word;
    word.high = read_half(in);
    is_low_read_ = false;
    const isa::control_code control = isa::fields_of(word).control;
    for (const std::uint8_t barrier : {control.read_barrier, control.write_barrier})
      if (barrier >= isa::control_code::barriers && barrier != isa::control_code::no_barrier)
        in.fail_at(in.line().text.find("0x"), fmt::format("the instruction names the counter SB{}; a warp has SB0 to SB5", barrier));
  }

  static std::uint64_t read_half(trace::text_cursor& in) {
    if (in.peek() == '\0') in.fail(fmt::format("the instruction has no word of machine code behind it: {}", word_form));
    in.expect("/*", word_form);
    in.expect("0x", word_form);
    const std::size_t position = in.position();
    const std::uint64_t half = in.hex_digits("half of the instruction's word", half_digits);
    if (in.position() != position + half_digits) in.fail_at(position, fmt::format("half of a word must be {}", word_form));
    in.expect("*/", word_form);
    in.expect_end(word_form);
    return half;
  }

  void finish() {
    if (names_.empty()) fail(1, "no kernel: a listing of nvdisasm has a line .section .text.NAME in front of each");
    if (wanted_.empty() && names_.size() > 1)
      fail(kernel_.line, fmt::format("{} kernels; name the one to import: {}", names_.size(), fmt::join(names_, ", ")));
    if (kernel_.name.empty()) fail(1, fmt::format("no kernel '{}'; there are {}", wanted_, fmt::join(names_, ", ")));
    if (is_low_read_) fail(kernel_.code.back().line, "the listing is cut off: the second half of the instruction's word is missing");
    if (!has_target_) fail(1, fmt::format("no line .target says which architecture this is; known are {}", isa::architecture_names()));
    if (kernel_.code.empty()) fail(kernel_.line, fmt::format("the kernel {} has no instructions", kernel_.name));
  }

  [[noreturn]] void fail(std::uint64_t line, const std::string& message) const {
    throw trace::trace_error(lines_.name(), line, 1, message);
  }

  trace::line_reader lines_;
  const std::string& wanted_;
  const std::size_t max_instructions_;
  sass_kernel kernel_;
  std::vector<std::string> names_;
  std::uint32_t next_pc_ = 0;
  bool is_wanted_ = false;    ///< in the section of the kernel
  bool is_low_read_ = false;  ///< the next line is the second half of a word
  bool has_target_ = false;
};

}  // namespace

sass_kernel read_sass(const std::filesystem::path& path, const std::string& kernel, std::size_t max_instructions) {
  return listing_reader(path, kernel, max_instructions).read();
}

}  // namespace tc::importers
