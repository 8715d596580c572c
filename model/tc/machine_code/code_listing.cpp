// SPDX-License-Identifier: Apache-2.0
#include "code_listing.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include <tc/machine_code/code_error.hpp>

namespace tc::machine_code {

namespace {

/// The names of one function: labels of its branch targets, functions in it, and what its relocations say.
class function_names : public name_source {
 public:
  function_names(const code_function& function, const decoder& decoder, std::size_t& label_count) : own_name_(function.name) {
    for (const auto& symbol : function.functions) names_.emplace(symbol.offset, symbol.name);
    for (const auto& relocation : function.relocations) relocations_.emplace(relocation.offset, &relocation);
    std::set<std::uint64_t> targets;
    for (std::size_t i = 0; i < function.words.size(); ++i) {
      const auto target = decoder.target(function.words[i], i * instruction_bytes);
      if (target && is_word(function, *target)) targets.insert(*target);
    }
    for (const auto& relocation : function.relocations)
      if (relocation.symbol == function.name && relocation.addend > 0 && is_word(function, static_cast<std::uint64_t>(relocation.addend)))
        targets.insert(static_cast<std::uint64_t>(relocation.addend));
    for (const std::uint64_t target : targets)
      if (names_.count(target) == 0) labels_.emplace(target, fmt::format(".L_x_{}", label_count++));
  }

  std::string target(std::uint64_t address) const override {
    if (const auto label = labels_.find(address); label != labels_.end()) return "`(" + label->second + ")";
    if (const auto name = names_.find(address); name != names_.end()) return "`(" + name->second + ")";
    return {};
  }

  std::string immediate(std::uint64_t pc) const override {
    const auto found = relocations_.lower_bound(pc);
    if (found == relocations_.end() || found->first >= pc + instruction_bytes) return {};
    return relocated(*found->second);
  }

  const std::map<std::uint64_t, std::string>& labels() const { return labels_; }
  const std::map<std::uint64_t, std::string>& functions() const { return names_; }

 private:
  /// Whether a word of the function begins at an offset.
  static bool is_word(const code_function& function, std::uint64_t offset) {
    return offset % instruction_bytes == 0 && offset < function.words.size() * instruction_bytes;
  }

  std::string relocated(const code_relocation& relocation) const {
    constexpr std::uint32_t lower_half = 56, upper_half = 57;  // R_CUDA_ABS32_LO_32, R_CUDA_ABS32_HI_32
    std::string name = relocation.symbol;
    if (relocation.addend != 0) {
      const auto label = own_name_ == name ? labels_.find(static_cast<std::uint64_t>(relocation.addend)) : labels_.end();
      name = label != labels_.end() ? fmt::format("({} + {}@srel)", name, label->second)
                                    : fmt::format("({} + {:#x})", name, relocation.addend);
    }
    if (relocation.type == lower_half) return "32@lo(" + name + ")";
    if (relocation.type == upper_half) return "32@hi(" + name + ")";
    return "`(" + name + ")";
  }

  std::string own_name_;
  std::map<std::uint64_t, std::string> labels_, names_;
  std::multimap<std::uint64_t, const code_relocation*> relocations_;
};

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
