// SPDX-License-Identifier: Apache-2.0
#include "sass_listing.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/listings/called_functions.hpp>
#include <tc/listings/sass_function_choice.hpp>
#include <tc/listings/sass_target.hpp>
#include <tc/trace/file_kind.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::listings {
namespace {

constexpr std::string_view instruction_form = "'/*pc*/ INSTRUCTION ; /* 0x0123456789abcdef */'";
constexpr std::string_view word_form = "'/* 0x0123456789abcdef */'; make the listing with nvdisasm -hex";
constexpr std::size_t listed_pc_digits = 8, half_digits = 16;

bool starts_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

/// What stands in `text` between `begin` and the first character of `ends` behind it; nothing if `begin` does not occur.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view ends) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find_first_of(ends));
}

/// A section of data, of all kernels or of one.
struct data_section {
  bool is_shared = false, is_global = false;
  unsigned bank = 0;   ///< of constants
  std::string kernel;  ///< empty: of all
  listed_data data;
};

/// The data section that is named ".nv.constant3", ".nv.constant2.NAME", ".nv.shared.NAME", ".nv.global" or ".nv.global.init".
std::optional<data_section> data_section_of(std::string_view name) {
  constexpr std::string_view constant = ".nv.constant", shared = ".nv.shared.";
  data_section section;
  if (starts_with(name, shared)) {
    section.is_shared = true;
    section.kernel = name.substr(shared.size());
    return section;
  }
  section.is_global = name == ".nv.global" || name == ".nv.global.init";
  if (section.is_global) return section;
  if (!starts_with(name, constant)) return std::nullopt;
  name.remove_prefix(constant.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), section.bank);
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  if (error != std::errc() || (!name.empty() && name.front() != '.')) return std::nullopt;
  if (!name.empty()) section.kernel = name.substr(1);
  return section;
}

/// What the lines at hand belong to.
enum class listing_part { outside, function, data, other };

class listing_reader {
 public:
  listing_reader(const std::filesystem::path& path, const std::string& kernel, std::size_t max_instructions,
                 std::optional<isa::architecture> arch)
      : lines_(path), choice_(kernel, arch), arch_(arch), max_instructions_(max_instructions) {}

  sass_kernel read() {
    const trace::file_kind kind = trace::kind_of(lines_.beginning());
    if (kind != trace::file_kind::listing && kind != trace::file_kind::other)
      fail(1, 1, fmt::format("not a listing of machine code; {}", trace::advice_on(kind)));
    std::string_view text;
    while (lines_.next(text)) {
      trace::text_cursor in({lines_.name(), lines_.line(), text});
      if (!in.at_end()) read_line(in, text.substr(in.position(), in.end() - in.position()));
    }
    finish();
    return std::move(kept_);
  }

 private:
  void read_line(trace::text_cursor& in, std::string_view text) {
    if (is_low_read_) return read_high_half(in);
    if (text.substr(0, text.find_first_of(" \t")) == ".section") return begin_section(in);
    if (in.accept("Function :")) return begin_function(in.rest(), in.line().number);
    if (auto target = target_in(in)) {
      target_ = *std::move(target);
      return;
    }
    const bool is_offset = starts_with(text, "/*") && text.size() > 2 && text[2] != ' ';
    if (part_ == listing_part::data) return data_.back().data.read(in);
    if (part_ == listing_part::outside && is_offset) begin_function(file_stem(), in.line().number);  // of nvdisasm --binary
    if (part_ != listing_part::function) return;
    if (is_offset) return read_instruction(in);
    read_property(in, text);
  }

  std::string file_stem() const { return std::filesystem::path(lines_.name()).stem().string(); }

  /// A line of a function that is no instruction.
  void read_property(const trace::text_cursor& in, std::string_view text) {
    if (starts_with(text, ".other") && text.find("STO_CUDA_ENTRY") != std::string_view::npos) choice_.last().is_entry = true;
    if (const auto count = between(text, "SHI_REGISTERS=", "\"")) return read_registers(in, *count);
    if (text.back() == ':' && text.find_first_of(" \t") == std::string_view::npos)
      current_.labels[std::string(text.substr(0, text.size() - 1))] = next_pc_;
  }

  void begin_section(trace::text_cursor& in) {
    end_function();
    in.word();
    const std::string_view rest = in.rest(), name = rest.substr(0, rest.find_first_of(",\" \t"));
    constexpr std::string_view code = ".text.";
    if (starts_with(name, code)) {
      begin_function(name.substr(code.size()), in.line().number);
      is_in_section_ = true;
      return;
    }
    part_ = listing_part::other;
    if (auto section = data_section_of(name)) {
      part_ = listing_part::data;
      data_.push_back(*std::move(section));
    }
  }

  void begin_function(std::string_view name, std::uint64_t line) {
    end_function();
    choice_.add({std::string(name), target_.name, line});
    part_ = listing_part::function;
    is_in_section_ = false;
    current_ = {};
    current_.file = lines_.name();
    current_.name = name;
    current_.line = line;
    next_pc_ = 0;
  }

  /// Keeps a function to its end if it is to be, which is known when its first instruction comes.
  void end_function() {
    if (part_ == listing_part::function) {
      if (is_wanted()) {
        if (is_kept_callable_) functions_.push_back(std::move(kept_));  // until now it might have been the kernel
        kept_ = std::move(current_);
        kept_target_ = current_target_;
        is_kept_callable_ = is_callable();
      } else if (is_callable()) {
        functions_.push_back(std::move(current_));
      }
    }
    part_ = listing_part::outside;
    wanted_.reset();
  }

  /// Only nvdisasm tells kernels from functions that they call.
  bool is_callable() { return is_in_section_ && !choice_.last().is_entry; }

  bool is_wanted() {
    if (!wanted_) {
      current_target_ = target_;
      choice_.last().target = target_.name;
      wanted_ = choice_.prefers_last();
    }
    return *wanted_;
  }

  void read_registers(const trace::text_cursor& in, std::string_view digits) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size())
      in.fail_at(static_cast<std::size_t>(digits.data() - in.line().text.data()), "SHI_REGISTERS must be a number");
    current_.registers = count;
  }

  void read_instruction(trace::text_cursor& in) {
    if (!is_wanted() && !is_callable()) return;
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
    instruction.text = read_text(in);
    instruction.word.low = read_half(in);
    if (current_.code.size() == max_instructions_) in.fail_at(0, fmt::format("more than {} instructions in the kernel", max_instructions_));
    current_.code.push_back(std::move(instruction));
    is_low_read_ = true;
  }

  /// The instruction up to its semicolon, without what is noted behind a computed branch: (*"BRANCH_TARGETS .L_x_1,.L_x_2"*).
  static std::string read_text(trace::text_cursor& in) {
    const std::string_view rest = in.line().text.substr(in.position());
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos) in.fail(fmt::format("the instruction has no ';' behind it; the form is {}", instruction_form));
    const std::string_view text = rest.substr(0, std::min(end, rest.find("(*\"")));
    const std::size_t last = text.find_last_not_of(" \t");
    if (last == std::string_view::npos) in.fail(fmt::format("the instruction is missing; the form is {}", instruction_form));
    in.skip_to(in.position() + end + 1);
    return std::string(text.substr(0, last + 1));
  }

  /// The second half of an instruction's word stands alone on the next line.
  void read_high_half(trace::text_cursor& in) {
    isa::instruction_word& word = current_.code.back().word;
    word.high = read_half(in);
    is_low_read_ = false;
    const isa::control_code control = isa::fields_of(word).control;
    for (const std::uint8_t barrier : {control.read_barrier, control.write_barrier})
      if (barrier >= isa::control_code::barriers && barrier != isa::control_code::no_barrier)
        in.fail_at(in.line().text.find("0x"), fmt::format("the instruction names the counter SB{}; a warp has SB0 to SB5", barrier));
  }

  /// What `nvdisasm -plr` says of live registers stands behind the word, after two slashes.
  static std::uint64_t read_half(trace::text_cursor& in) {
    if (in.peek() == '\0' || in.accept("//")) in.fail(fmt::format("the instruction has no word of machine code behind it: {}", word_form));
    in.expect("/*", word_form);
    in.expect("0x", word_form);
    const std::size_t position = in.position();
    const std::uint64_t half = in.hex_digits("half of the instruction's word", half_digits);
    if (in.position() != position + half_digits) in.fail_at(position, fmt::format("half of a word must be {}", word_form));
    in.expect("*/", word_form);
    if (!in.accept("//")) in.expect_end(word_form);
    return half;
  }

  void finish() {
    if (is_low_read_) fail(current_.code.back().line, 1, "the listing is cut off: the second half of the instruction's word is missing");
    end_function();
    choice_.chosen(lines_.name());
    if (kept_.code.empty()) fail(kept_.line, 1, fmt::format("the kernel {} has no instructions", kept_.name));
    kept_.target = kept_target_.name;
    kept_.arch = architecture();
    take_data();
    add_called_functions(kept_, std::move(functions_));
  }

  isa::architecture architecture() const {
    if (arch_) return *arch_;
    if (const auto found = isa::find_related_architecture(kept_target_.name)) return *found;
    if (kept_target_.name.empty())
      fail(1, 1,
           fmt::format("no line .target or .headerflags says which architecture this is; say it with --arch: {}",
                       isa::architecture_names()));
    fail(kept_target_.line, kept_target_.column,
         fmt::format("unknown target '{}'; known are {}; --arch says which of them to take", kept_target_.name, isa::architecture_names()));
  }

  void take_data() {
    for (const data_section& section : data_) {
      if (!section.kernel.empty() && section.kernel != kept_.name) continue;
      if (section.is_shared) kept_.shared_bytes = section.data.size();
      if (section.is_global) take_variables(section.data);
      if (section.is_shared || section.is_global || section.bank == 0) continue;
      for (const listed_label& label : section.data.labels())
        kept_.constant_variables[label.name] = {section.bank, static_cast<std::uint32_t>(label.offset)};
      for (const listed_symbol& symbol : section.data.symbols()) kept_.references.push_back({section.bank, symbol});
      for (const listed_bytes& run : section.data.known()) kept_.constants.push_back({section.bank, run});
    }
  }

  /// A variable reaches from its label to the next one. Labels of the compiler's own, which begin with a dot, end variables and are none;
  /// so do labels without a name.
  void take_variables(const listed_data& data) {
    const std::vector<listed_label>& labels = data.labels();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::uint64_t begin = labels[i].offset, end = i + 1 < labels.size() ? labels[i + 1].offset : data.size();
      if (labels[i].name.empty() || labels[i].name.front() == '.' || end == begin) continue;
      listed_variable variable{labels[i].name, end - begin, {}, {}};
      for (const listed_symbol& symbol : data.symbols())
        if (symbol.offset >= begin && symbol.offset + symbol.bytes <= end)
          variable.references.push_back({symbol.offset - begin, symbol.bytes, symbol.text});
      for (const listed_bytes& run : data.known()) {
        const std::uint64_t first = std::max(begin, run.offset), last = std::min(end, run.offset + run.bytes.size());
        if (first >= last) continue;
        variable.content.resize(std::max<std::size_t>(variable.content.size(), last - begin));
        const auto from = run.bytes.begin() + static_cast<std::ptrdiff_t>(first - run.offset);
        std::copy_n(from, last - first, variable.content.begin() + static_cast<std::ptrdiff_t>(first - begin));
      }
      kept_.variables.push_back(std::move(variable));
    }
  }

  [[noreturn]] void fail(std::uint64_t line, std::size_t column, const std::string& message) const {
    throw trace::trace_error(lines_.name(), line, column, message);
  }

  trace::line_reader lines_;
  sass_function_choice choice_;
  std::optional<isa::architecture> arch_;
  const std::size_t max_instructions_;
  sass_kernel current_, kept_;
  std::vector<sass_kernel> functions_;  ///< that the kernel may call
  listed_target target_, current_target_, kept_target_;
  std::vector<data_section> data_;
  listing_part part_ = listing_part::outside;
  std::optional<bool> wanted_;  ///< whether the current function is to be kept, once it is known
  std::uint32_t next_pc_ = 0;
  bool is_in_section_ = false, is_kept_callable_ = false;
  bool is_low_read_ = false;  ///< the next line is the second half of a word
};

}  // namespace

std::optional<unsigned> sass_kernel::registers_with_functions() const {
  std::optional<unsigned> most = registers;
  for (const called_function& each : functions)
    if (each.registers) most = std::max(most.value_or(0), *each.registers);
  return most;
}

std::uint32_t sass_kernel::begin_of(std::uint32_t pc) const {
  std::uint32_t begin = 0;
  for (const called_function& each : functions)
    if (each.begin <= pc) begin = each.begin;
  return begin;
}

std::string sass_kernel::place_of(std::uint32_t pc) const {
  const std::uint32_t begin = begin_of(pc);
  for (const called_function& each : functions)
    if (each.begin == begin) return fmt::format("{:#06x} of {}", pc - begin, each.name);
  return fmt::format("{:#06x}", pc);
}

sass_kernel read_sass(const std::filesystem::path& path, const std::string& kernel, std::size_t max_instructions,
                      std::optional<isa::architecture> arch) {
  return listing_reader(path, kernel, max_instructions, arch).read();
}

}  // namespace tc::listings
