// SPDX-License-Identifier: Apache-2.0
#include "code_listing.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/function_names.hpp>

namespace tc::machine_code {

namespace {

/// A section of data: its bytes, labels where its variables begin, and the symbols whose addresses relocations put in.
struct listed_section {
  std::string name;
  std::string_view content;
  std::uint64_t bytes = 0;  ///< more than the content has: zeros
  const std::vector<code_symbol>& symbols;
  const std::vector<code_relocation>& relocations;
};

/// The line of a relocation.
std::string relocation_line(const code_relocation& relocation) {
  const std::string symbol = relocation.addend == 0 ? relocation.symbol : fmt::format("({} + {:#x})", relocation.symbol, relocation.addend);
  return fmt::format("        /*{:04x}*/ \t.{}\t{}\n", relocation.offset, relocation.bytes() == 4 ? "word" : "dword", symbol);
}

void write_bytes(std::ostream& out, std::string_view content, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t line_bytes = 16;
  if (begin >= content.size()) {
    out << fmt::format("        /*{:04x}*/ \t.zero\t{}\n", begin, end - begin);
    return;
  }
  for (std::uint64_t at = begin; at < end; at += line_bytes) {
    out << fmt::format("        /*{:04x}*/ \t.byte\t", at);
    for (std::uint64_t i = at; i < std::min(at + line_bytes, end); ++i)
      out << fmt::format("{}0x{:02x}", i == at ? "" : ", ", static_cast<unsigned char>(content[i]));
    out << '\n';
  }
}

void write_section(std::ostream& out, const listed_section& section) {
  out << "\n\t.section\t" << section.name << (section.content.empty() ? ",\"aw\",@nobits\n" : ",\"a\",@progbits\n") << section.name
      << ":\n";
  std::multimap<std::uint64_t, std::string> labels;
  std::map<std::uint64_t, const code_relocation*> relocations;
  for (const auto& symbol : section.symbols) {
    labels.emplace(symbol.offset, symbol.name);
    labels.emplace(symbol.offset + symbol.bytes, "");  // a variable ends here
  }
  for (const auto& relocation : section.relocations) relocations.emplace(relocation.offset, &relocation);
  std::size_t ends = 0;
  for (std::uint64_t at = 0; at < section.bytes;) {
    const auto [first, last] = labels.equal_range(at);
    for (auto each = first; each != last; ++each) out << (each->second.empty() ? fmt::format(".L_{}", ends++) : each->second) << ":\n";
    if (const auto found = relocations.find(at); found != relocations.end()) {
      out << relocation_line(*found->second);
      at += found->second->bytes();
      continue;
    }
    std::uint64_t end = at < section.content.size() ? section.content.size() : section.bytes;
    if (const auto next = labels.upper_bound(at); next != labels.end()) end = std::min(end, next->first);
    if (const auto next = relocations.upper_bound(at); next != relocations.end()) end = std::min(end, next->first);
    write_bytes(out, section.content, at, end);
    at = end;
  }
}

void write_constants(std::ostream& out, const code_constants& constants, const std::string& owner) {
  write_section(out, {fmt::format(".nv.constant{}{}", constants.bank, owner), constants.content, constants.content.size(),
                      constants.symbols, constants.relocations});
}

void write_variables(std::ostream& out, const char* name, const module_data& data) {
  if (data.bytes != 0) write_section(out, {name, data.content, data.bytes, data.symbols, data.relocations});
}

void write_head(std::ostream& out, const code_function& function) {
  out << "\n\t.section\t.text." << function.name << ",\"ax\",@progbits\n";
  if (function.registers) out << "\t.sectioninfo\t@\"SHI_REGISTERS=" << *function.registers << "\"\n";
  out << "\t.align\t128\n        .global         " << function.name << "\n        .type           " << function.name << ",@function\n";
  if (function.is_entry) out << "        .other          " << function.name << ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n";
}

void write_function(std::ostream& out, const code_function& function, const decoder& decoder, std::size_t& label_count,
                    unknown_words& unknown) {
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
    if (!decoder.add_text(text, word, pc, &names)) {
      text = unknown_text(word);
      if (unknown.count++ == 0) unknown.first = fmt::format("{}, byte {:#06x}: {}", function.name, pc, isa::text_of(word));
    }
    const std::size_t guard = text[0] == '@' ? text.find(' ') : 0;
    const std::string line =
        fmt::format("        /*{:04x}*/ {:>17} {} ;", pc, text.substr(0, guard), text.substr(guard == 0 ? 0 : guard + 1));
    out << fmt::format("{:<96}/* 0x{:016x} */\n{:96}/* 0x{:016x} */\n", line, word.low, "", word.high);
  }
}

void write_data(std::ostream& out, const code_function& function) {
  for (const auto& constants : function.constants) write_constants(out, constants, "." + function.name);
  if (function.shared_bytes)
    out << fmt::format("\n\t.section\t.nv.shared.{0},\"aw\",@nobits\n.nv.shared.{0}:\n\t.zero\t\t{1}\n", function.name,
                       *function.shared_bytes);
}

}  // namespace

unknown_words write_listing(std::ostream& out, const cubin& code, const listing_choice& choice) {
  if (!choice.function.empty() && code.find(choice.function) == nullptr) {
    std::string names;
    for (const auto& function : code.functions()) names += (names.empty() ? "" : ", ") + function.name;
    throw code_error(code.name(), fmt::format("there is no function {}; there are {}", choice.function, names.empty() ? "none" : names));
  }
  const decoder decoder(code.arch());
  out << "\t.target\t" << code.target() << "\n";
  std::size_t label_count = 0;
  unknown_words unknown;
  for (const auto& function : code.functions()) {
    if (!choice.function.empty() && function.name != choice.function) continue;
    write_function(out, function, decoder, label_count, unknown);
    write_data(out, function);
  }
  for (const auto& constants : code.constants()) write_constants(out, constants, "");
  write_variables(out, ".nv.global.init", code.initialized());
  write_variables(out, ".nv.global", code.zeroed());
  return unknown;
}

}  // namespace tc::machine_code
