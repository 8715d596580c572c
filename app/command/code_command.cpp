// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction_word.hpp>
#include <tc/machine_code/code_listing.hpp>
#include <tc/machine_code/cubin.hpp>
#include <tc/machine_code/decoder.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "input_files.hpp"
#include "options.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

constexpr std::size_t half_digits = 16, word_digits = 32;

struct decode_options {
  std::vector<std::string> sources;
  std::string arch, function, output;
};

/// The digits of an argument that is a word or half of one, without "0x"; nothing for anything else.
std::optional<std::string> digits_of(const std::string& argument) {
  const bool has_prefix = argument.compare(0, 2, "0x") == 0 || argument.compare(0, 2, "0X") == 0;
  std::string digits = argument.substr(has_prefix ? 2 : 0);
  for (const char digit : digits)
    if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) return std::nullopt;
  if (digits.empty()) return std::nullopt;
  return digits;
}

/// The words that the arguments say: each 32 digits, or two halves of 16 digits, the lower first, as disassemblers print them.
std::vector<tc::isa::instruction_word> words_of(const std::vector<std::string>& arguments) {
  std::vector<tc::isa::instruction_word> words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto digits = digits_of(arguments[i]);
    if (!digits)
      throw usage_error(
          fmt::format("{} is no instruction word: 32 hexadecimal digits, or two halves of 16, the lower one first", arguments[i]));
    if (digits->size() == word_digits) {
      words.push_back(tc::isa::parse_word(digits->substr(half_digits) + " " + digits->substr(0, half_digits)));
      continue;
    }
    if (digits->size() != half_digits)
      throw usage_error(fmt::format("{} has {} hexadecimal digits; a word has {}, half of one {}", arguments[i], digits->size(),
                                    word_digits, half_digits));
    const auto upper = i + 1 < arguments.size() ? digits_of(arguments[i + 1]) : std::nullopt;
    if (!upper || upper->size() != half_digits)
      throw usage_error(fmt::format("{} is the lower half of a word; the upper one must follow, 16 hexadecimal digits", arguments[i]));
    words.push_back(tc::isa::parse_word(*digits + " " + *upper));
    ++i;
  }
  return words;
}

tc::isa::architecture architecture_of(const std::string& name) {
  const auto arch = tc::isa::find_related_architecture(name);
  if (arch && tc::machine_code::can_decode(*arch)) return *arch;
  const auto names = tc::isa::architecture_names([](const auto& row) { return tc::machine_code::can_decode(row.arch); });
  throw usage_error(fmt::format("--arch {}: it must be one of {}", name, names));
}

/// One line for each word: its control code and what it does.
tc::machine_code::unknown_words decode_words(std::ostream& out, const std::vector<tc::isa::instruction_word>& words,
                                             const std::string& arch_name) {
  const tc::machine_code::decoder decoder(architecture_of(arch_name));
  tc::machine_code::unknown_words unknown;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto text = decoder.text(words[i], i * sizeof(tc::isa::instruction_word));
    if (!text) {
      text = tc::machine_code::unknown_text(words[i]);
      if (unknown.count++ == 0) unknown.first = fmt::format("word {}: {}", i + 1, tc::isa::text_of(words[i]));
    }
    out << fmt::format("[{}] {} ;\n", tc::isa::text_of(tc::isa::fields_of(words[i]).control), *text);
  }
  return unknown;
}

/// Says of words that are unknown, after all has been written, how many there are. `source`: a cubin and ": ", or nothing.
exit_status status_of(const tc::machine_code::unknown_words& unknown, const std::string& source, const std::string& arch_name) {
  if (unknown.count == 0) return exit_status::done;
  std::cerr << fmt::format("tcsim: {}no instruction of {} has {}; written as unknown, the first in {}\n", source, arch_name,
                           counted(unknown.count, "word"), unknown.first);
  return exit_status::check_failed;
}

exit_status decode(const decode_options& options) {
  std::ostringstream out;
  tc::machine_code::unknown_words unknown;
  std::string source, arch = options.arch.empty() ? "sm_90" : options.arch;
  if (options.sources.size() == 1 && (!digits_of(options.sources[0]) || std::filesystem::exists(options.sources[0]))) {
    note_input(options.sources[0]);
    const auto code = tc::machine_code::cubin::read(options.sources[0]);
    if (!options.arch.empty() && architecture_of(options.arch) != code.arch())
      throw usage_error(fmt::format("{}: the cubin is for {}, not for {}", options.sources[0], code.target(), options.arch));
    architecture_of(code.target());
    unknown = tc::machine_code::write_listing(out, code, {options.function});
    source = options.sources[0] + ": ";
    arch = code.target();
  } else {
    if (!options.function.empty()) throw usage_error("--function chooses among the functions of a cubin; these are words");
    unknown = decode_words(out, words_of(options.sources), arch);
  }
  if (options.output.empty())
    std::cout << out.str();
  else
    write_atomically(options.output, [&](std::ostream& file) { file << out.str(); });
  return status_of(unknown, source, arch);
}

void add_decode_command(const cli_command& code, exit_status& status) {
  const auto command = code.add_subcommand("decode", "Write machine code as text, as nvdisasm does: words, or all of a cubin");
  const auto options = std::make_shared<decode_options>();
  command
      .add_option("SOURCE", options->sources,
                  "A cubin, or words: each 32 hexadecimal digits, or two halves of 16 as listings show them, the lower one first")
      .required()
      .type_name("");
  command.add_option("--arch", options->arch, "Architecture of the words, sm_75 to sm_90 (sm_90 unless given); a cubin says its own")
      .type_name("ARCH");
  command.add_option("--function", options->function, "This function of a cubin alone").type_name("NAME");
  add_out_option(command, options->output, "Write the text into this file");
  command.footer(
      "Of a cubin the text is a listing that `tcsim import nvdisasm` takes: instructions with their words, labels, registers, constants. "
      "Of "
      "words it is a line each, with the control code. A word that no instruction has is written as `unknown` and its digits, and the rest "
      "as always.\n\n"
      "Exit status: 0 done; 1 there were unknown words: stderr says how many, and where the first is; 2 bad input or usage, nothing "
      "written.\n\n"
      "Example: tcsim code decode 00000a00ff017b82 000fe20000000800\n"
      "Example: tcsim code decode kernel.cubin -o kernel.sass && tcsim import nvdisasm kernel.sass -o kernel.trace --arguments 0x1000,64");
  command.callback([options, &status] { status = decode(*options); });
}

}  // namespace

void add_code_command(const cli_command& app, exit_status& status) {
  const auto code = app.add_subcommand("code", "Read machine code");
  code.ask_for_subcommand();
  code.footer("Example: tcsim code decode kernel.cubin");
  add_decode_command(code, status);
}

}  // namespace tcsim
