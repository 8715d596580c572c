// SPDX-License-Identifier: Apache-2.0
#include "cubin.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <ios>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/form.hpp>
#include <tc/machine_code/information.hpp>

namespace tc::machine_code {

namespace {

constexpr std::uint16_t cuda_machine = 190;
constexpr std::uint8_t function_symbol = 2, object_symbol = 1, entry_flag = 0x10;
constexpr std::uint8_t cuda_object_symbol = 13;  // of code that is still to be linked
constexpr std::string_view code_name = ".text.", constant_name = ".nv.constant", shared_name = ".nv.shared.";

bool is_variable(const elf_symbol& symbol) {
  return symbol.section != 0 && (symbol.type == object_symbol || symbol.type == cuda_object_symbol);
}

bool begins(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

isa::instruction_word word_at(std::string_view content, std::size_t offset) {
  return {little_endian(content, offset, 8), little_endian(content, offset + 8, 8)};
}

}  // namespace

cubin cubin::read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw code_error(path.string(), "cannot be opened");
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) throw code_error(path.string(), "cannot be read");
  return {path.string(), std::move(bytes)};
}

cubin::cubin(std::string name, std::string bytes) : file_(std::make_unique<elf_file>(std::move(name), std::move(bytes))) {
  read_target();
  for (std::size_t i = 0; i < file_->sections().size(); ++i)
    if (begins(file_->sections()[i].name, code_name)) read_function(i);
  for (std::size_t i = 0; i < file_->sections().size(); ++i) read_data(i);
  read_symbols();
  read_relocations();
  for (const auto& section : file_->sections())
    if (begins(section.name, information_name)) read_attributes(section);
}

/// The architecture is in the flags: in bits 8 to 15 since CUDA 13, before it in the lowest.
void cubin::read_target() {
  constexpr std::size_t machine_offset = 18, flags_offset = 48;
  constexpr std::uint8_t later_abi = 8;
  constexpr std::uint32_t accelerated = 0x800;
  if (file_->machine() != cuda_machine)
    file_->fail(machine_offset,
                fmt::format("the ELF file is for machine {}; a cubin is for {}, NVIDIA CUDA", file_->machine(), cuda_machine));
  const std::uint32_t flags = file_->flags();
  const bool is_later = file_->abi_version() >= later_abi;
  const std::uint32_t number = is_later ? (flags >> 8U) & 0xffU : flags & 0xffU;
  target_ = fmt::format("sm_{}", number);
  const auto found = isa::find_related_architecture(target_);
  if (!found) file_->fail(flags_offset, fmt::format("the cubin is for {}; known are {}", target_, isa::architecture_names()));
  arch_ = *found;
  if (is_later ? is_accelerated(*file_) : (flags & accelerated) != 0) target_ += 'a';
}

void cubin::read_function(std::size_t index) {
  const elf_section& section = file_->sections()[index];
  if (section.content.size() % instruction_bytes != 0)
    file_->fail(section.offset + section.content.size(), fmt::format("{} ends within a word: its {:#x} bytes are no multiple of {}",
                                                                     section.name, section.content.size(), instruction_bytes));
  code_function function;
  function.name = section.name.substr(code_name.size());
  constexpr unsigned register_shift = 24;
  if (const std::uint32_t registers = section.info >> register_shift; registers != 0) function.registers = registers;
  function.words.reserve(section.content.size() / instruction_bytes);
  for (std::size_t at = 0; at < section.content.size(); at += instruction_bytes) function.words.push_back(word_at(section.content, at));
  function_of_section_[index] = functions_.size();
  functions_.push_back(std::move(function));
}

code_function* cubin::of_name(std::string_view name) {
  for (auto& function : functions_)
    if (function.name == name) return &function;
  return nullptr;
}

const code_function* cubin::find(std::string_view function) const {
  for (const auto& each : functions_)
    if (each.name == function) return &each;
  return nullptr;
}

void cubin::read_data(std::size_t index) {
  const elf_section& section = file_->sections()[index];
  if (section.name == ".nv.global" || section.name == ".nv.global.init") {
    const bool is_zeroed = section.name == ".nv.global";
    module_data& data = is_zeroed ? zeroed_ : initialized_;
    data.content = section.content;
    data.bytes = section.size;
    (is_zeroed ? zeroed_section_ : initialized_section_) = index;
  } else if (begins(section.name, shared_name)) {
    if (auto* function = of_name(section.name.substr(shared_name.size()))) function->shared_bytes = section.size;
  } else if (begins(section.name, constant_name)) {
    std::string_view rest = section.name.substr(constant_name.size());
    code_constants constants;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), constants.bank);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (error != std::errc() || (!rest.empty() && rest[0] != '.')) return;
    constants.content = section.content;
    auto* const function = rest.empty() ? nullptr : of_name(rest.substr(1));
    if (!rest.empty() && function == nullptr) return;
    owner_of_constants_[index] = function == nullptr ? std::string() : function->name;
    constants.section = index;
    (function == nullptr ? constants_ : function->constants).push_back(std::move(constants));
  }
}

/// Functions and variables lie within their section.
void cubin::check_place(const elf_symbol& symbol) const {
  if (symbol.section >= file_->sections().size()) return;
  const elf_section& section = file_->sections()[symbol.section];
  if (symbol.value > section.size || section.size - symbol.value < symbol.size)
    file_->fail(section.offset, fmt::format("the symbol {}, of {:#x} bytes at {:#x}, goes beyond the end of {}", symbol.name, symbol.size,
                                            symbol.value, section.name));
}

void cubin::read_symbols() {
  for (const auto& symbol : file_->symbols()) {
    if (symbol.type == function_symbol || is_variable(symbol)) check_place(symbol);
    code_symbol named{std::string(symbol.name), symbol.value, symbol.size};
    const auto function = function_of_section_.find(symbol.section);
    if (function != function_of_section_.end() && symbol.type == function_symbol) {
      auto& owner = functions_[function->second];
      if (symbol.name == owner.name) owner.is_entry = (symbol.other & entry_flag) != 0;
      owner.functions.push_back(std::move(named));
    } else if (is_variable(symbol)) {
      if (symbol.section == initialized_section_)
        initialized_.symbols.push_back(std::move(named));
      else if (symbol.section == zeroed_section_)
        zeroed_.symbols.push_back(std::move(named));
      else if (auto* constants = constants_of(symbol.section))
        constants->symbols.push_back(std::move(named));
    }
  }
  for (auto& function : functions_)
    std::stable_sort(function.functions.begin(), function.functions.end(),
                     [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

code_constants* cubin::constants_of(std::size_t section) {
  const auto owner = owner_of_constants_.find(section);
  if (owner == owner_of_constants_.end()) return nullptr;
  auto& all = owner->second.empty() ? constants_ : of_name(owner->second)->constants;
  for (auto& each : all)
    if (each.section == section) return &each;
  return nullptr;
}

/// Relocations may name a section.
std::string cubin::name_of(const elf_symbol& symbol) const {
  if (!symbol.name.empty() || symbol.section >= file_->sections().size()) return std::string(symbol.name);
  return std::string(file_->sections()[symbol.section].name);
}

void cubin::check_place(const elf_relocation& relocation, unsigned bytes) const {
  const elf_section& section = file_->sections()[relocation.section];
  if (relocation.offset > section.size || section.size - relocation.offset < bytes)
    file_->fail(section.offset, fmt::format("a relocation of byte {:#x} goes beyond the end of {}", relocation.offset, section.name));
}

void cubin::read_relocations() {
  for (const auto& relocation : file_->relocations()) {
    code_relocation named{relocation.offset, relocation.type, name_of(file_->symbols()[relocation.symbol]), relocation.addend};
    const auto function = function_of_section_.find(relocation.section);
    auto* const constants = constants_of(relocation.section);
    const bool is_of_data = relocation.section != 0 && relocation.section == initialized_section_;
    if (function != function_of_section_.end() || constants != nullptr || is_of_data) check_place(relocation, named.bytes());
    if (function != function_of_section_.end())
      functions_[function->second].relocations.push_back(std::move(named));
    else if (is_of_data)
      initialized_.relocations.push_back(std::move(named));
    else if (constants != nullptr)
      constants->relocations.push_back(std::move(named));
  }
  for (auto& function : functions_)
    std::stable_sort(function.relocations.begin(), function.relocations.end(),
                     [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

void cubin::take_attribute(code_function& function, const information& attribute) {
  switch (attribute.kind) {
    case information_kind::registers:
      function.registers = attribute.value;
      break;
    case information_kind::frame:
      function.frame_bytes = attribute.value;
      break;
    case information_kind::stack:
      function.stack_bytes = attribute.value;
      break;
    case information_kind::most_threads:
      function.most_threads = attribute.extents[0] * attribute.extents[1] * attribute.extents[2];
      break;
    case information_kind::block:
      function.block = attribute.extents;
      break;
    case information_kind::cluster:
      function.cluster = attribute.extents;
      break;
    case information_kind::parameter_bank:
      function.parameter_offset = attribute.value & 0xffffU;
      function.parameter_bytes = attribute.value >> 16U;
      break;
    case information_kind::parameter:
      function.parameters.push_back({attribute.ordinal, attribute.value, attribute.bytes});
      break;
  }
}

void cubin::read_attributes(const elf_section& section) {
  const std::string_view owner = section.name.size() > information_name.size() ? section.name.substr(information_name.size() + 1) : "";
  for (const auto& attribute : read_information(*file_, section)) {
    code_function* function = of_name(owner);
    if (attribute.symbol) {
      if (*attribute.symbol >= file_->symbols().size())
        file_->fail(attribute.offset,
                    fmt::format("{} names symbol {}; there are {}", section.name, *attribute.symbol, file_->symbols().size()));
      function = of_name(file_->symbols()[*attribute.symbol].name);
    }
    if (!owner.empty() && attribute.kind == information_kind::parameter_bank) function = of_name(owner);
    if (function == nullptr) continue;
    take_attribute(*function, attribute);
  }
  for (auto& function : functions_)
    std::sort(function.parameters.begin(), function.parameters.end(), [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
}

}  // namespace tc::machine_code
