// SPDX-License-Identifier: Apache-2.0
#include "code_listing.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/function_names.hpp>

namespace tc::machine_code {

namespace {

void write_bytes(std::ostream& out, std::string_view section, std::string_view content) {
  constexpr std::size_t line_bytes = 16;
  out << "\n\t.section\t" << section << ",\"a\",@progbits\n" << section << ":\n";
  for (std::size_t at = 0; at < content.size(); at += line_bytes) {
    out << fmt::format("        /*{:04x}*/ \t.byte\t", at);
    for (std::size_t i = at; i < std::min(at + line_bytes, content.size()); ++i)
      out << fmt::format("{}0x{:02x}", i == at ? "" : ", ", static_cast<unsigned char>(content[i]));
    out << '\n';
  }
}

void write_head(std::ostream& out, const code_function& function) {
  out << "\n\t.section\t.text." << function.name << ",\"ax\",@progbits\n";
  if (function.registers) out << "\t.sectioninfo\t@\"SHI_REGISTERS=" << *function.registers << "\"\n";
  out << "\t.align\t128\n        .global         " << function.name << "\n        .type           " << function.name << ",@function\n";
  if (function.is_entry) out << "        .other          " << function.name << ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n";
}

void write_function(std::ostream& out, const cubin& code, const code_function& function, const decoder& decoder, std::size_t& label_count) {
  write_head(out, function);
  const function_names names(function, decoder, label_count);
  std::string text;
  for (std::size_t i = 0; i < function.words.size(); ++i) {
    const std::uint64_t pc = i * instruction_bytes;
    const auto& word = function.words[i];
    if (const auto name = names.functions().find(pc); name != names.functions().end()) out << name->second << ":\n";
    if (pc == 0) out << ".text." << function.name << ":\n";
    if (const auto label = names.labels().find(pc); label != names.labels().end()) out << label->second << ":\n";
    text.clear();
    if (!decoder.add_text(text, word, pc, &names))
      throw code_error(code.name(), fmt::format("{}, byte {:#06x}: no instruction of {} has the word {}", function.name, pc, code.target(),
                                                isa::text_of(word)));
    const std::size_t guard = text[0] == '@' ? text.find(' ') : 0;
    const std::string line =
        fmt::format("        /*{:04x}*/ {:>17} {} ;", pc, text.substr(0, guard), text.substr(guard == 0 ? 0 : guard + 1));
    out << fmt::format("{:<96}/* 0x{:016x} */\n{:96}/* 0x{:016x} */\n", line, word.low, "", word.high);
  }
}

void write_data(std::ostream& out, const code_function& function) {
  for (const auto& constants : function.constants)
    write_bytes(out, fmt::format(".nv.constant{}.{}", constants.bank, function.name), constants.content);
  if (function.shared_bytes)
    out << fmt::format("\n\t.section\t.nv.shared.{0},\"aw\",@nobits\n.nv.shared.{0}:\n\t.zero\t\t{1}\n", function.name,
                       *function.shared_bytes);
}

}  // namespace

void write_listing(std::ostream& out, const cubin& code, const listing_choice& choice) {
  if (!choice.function.empty() && code.find(choice.function) == nullptr) {
    std::string names;
    for (const auto& function : code.functions()) names += (names.empty() ? "" : ", ") + function.name;
    throw code_error(code.name(), fmt::format("there is no function {}; there are {}", choice.function, names.empty() ? "none" : names));
  }
  const decoder decoder(code.arch());
  out << "\t.target\t" << code.target() << "\n";
  std::size_t label_count = 0;
  for (const auto& function : code.functions()) {
    if (!choice.function.empty() && function.name != choice.function) continue;
    write_function(out, code, function, decoder, label_count);
    write_data(out, function);
  }
  for (const auto& constants : code.constants()) write_bytes(out, fmt::format(".nv.constant{}", constants.bank), constants.content);
}

}  // namespace tc::machine_code
