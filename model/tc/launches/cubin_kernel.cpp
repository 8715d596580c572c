// SPDX-License-Identifier: Apache-2.0
#include "cubin_kernel.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/isa/instruction_word.hpp>
#include <tc/listings/called_functions.hpp>
#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/decoder.hpp>
#include <tc/machine_code/form.hpp>
#include <tc/machine_code/function_names.hpp>

namespace tc::launches {

namespace {

using machine_code::code_constants;
using machine_code::code_function;
using machine_code::code_relocation;
using machine_code::code_symbol;
using machine_code::module_data;

std::vector<std::uint8_t> bytes_of(std::string_view content) { return {content.begin(), content.end()}; }

/// What a relocation stands for, as a listing writes it.
std::string expression_of(const code_relocation& relocation) {
  if (relocation.addend == 0) return relocation.symbol;
  return fmt::format("({} + {:#x})", relocation.symbol, relocation.addend);
}

/// The part of a section's bytes that it has in the file.
std::string_view part_of(std::string_view content, std::uint64_t offset, std::uint64_t bytes) {
  return offset < content.size() ? content.substr(offset, bytes) : std::string_view();
}

class cubin_converter {
 public:
  explicit cubin_converter(const machine_code::cubin& cubin) : cubin_(cubin), decoder_(decoder_of(cubin)) {}

  launch_code convert(const std::string& name) {
    const code_function& entry = chosen(name);
    launch_code code;
    code.kernel = function_of(entry);
    code.kernel.shared_bytes = entry.shared_bytes;
    for (const code_constants& each : cubin_.constants()) add_constants(code.kernel, each);
    for (const code_constants& each : entry.constants) add_constants(code.kernel, each);
    add_variables(code.kernel, cubin_.initialized());
    add_variables(code.kernel, cubin_.zeroed());
    std::vector<listings::sass_kernel> functions;
    for (const code_function& each : cubin_.functions())
      if (!each.is_entry) functions.push_back(function_of(each));
    listings::add_called_functions(code.kernel, std::move(functions));
    code.records = records_of(entry);
    return code;
  }

 private:
  static machine_code::decoder decoder_of(const machine_code::cubin& cubin) {
    if (!machine_code::can_decode(cubin.arch()))
      throw machine_code::code_error(cubin.name(), fmt::format("the machine code of {} is not known", cubin.target()));
    return machine_code::decoder(cubin.arch());
  }

  const code_function& chosen(const std::string& name) const {
    std::vector<std::string> names;
    const code_function* found = nullptr;
    for (const code_function& each : cubin_.functions()) {
      if (!each.is_entry) continue;
      names.push_back(each.name);
      if (name.empty() || each.name == name) found = &each;
    }
    const auto fail = [this](const std::string& message) { throw machine_code::code_error(cubin_.name(), message); };
    if (found == nullptr && name.empty()) fail("it has no kernel");
    if (found == nullptr)
      fail(fmt::format("no kernel '{}'; there are {}", name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    if (name.empty() && names.size() > 1) fail(fmt::format("{} kernels; name one of them: {}", names.size(), fmt::join(names, ", ")));
    if (found->words.empty()) fail(fmt::format("the kernel {} has no instructions", found->name));
    return *found;
  }

  listings::sass_kernel function_of(const code_function& function) {
    listings::sass_kernel result;
    result.file = cubin_.name();
    result.arch = cubin_.arch();
    result.target = cubin_.target();
    result.name = function.name;
    result.registers = function.registers;
    const machine_code::function_names names(function, decoder_, labels_);
    for (std::size_t i = 0; i < function.words.size(); ++i) {
      listings::listed_instruction instruction;
      instruction.pc = static_cast<std::uint32_t>(i * machine_code::instruction_bytes);
      instruction.word = function.words[i];
      if (!decoder_.add_text(instruction.text, instruction.word, instruction.pc, &names))
        instruction.text = machine_code::unknown_text(instruction.word);
      result.code.push_back(std::move(instruction));
    }
    for (const auto* labels : {&names.labels(), &names.functions()})
      for (const auto& [offset, label] : *labels) result.labels[label] = static_cast<std::uint32_t>(offset);
    return result;
  }

  /// Bank 0 is filled by the launch.
  static void add_constants(listings::sass_kernel& kernel, const code_constants& constants) {
    if (constants.bank == 0) return;
    kernel.constants.push_back({constants.bank, {0, bytes_of(constants.content)}});
    for (const code_symbol& each : constants.symbols)
      kernel.constant_variables[each.name] = {constants.bank, static_cast<std::uint32_t>(each.offset)};
    for (const code_relocation& each : constants.relocations)
      kernel.references.push_back({constants.bank, {each.offset, each.bytes(), expression_of(each)}});
  }

  static void add_variables(listings::sass_kernel& kernel, const module_data& data) {
    for (const code_symbol& symbol : data.symbols) {
      if (symbol.bytes == 0) continue;
      listings::listed_variable variable{symbol.name, symbol.bytes, bytes_of(part_of(data.content, symbol.offset, symbol.bytes)), {}};
      for (const code_relocation& each : data.relocations) {
        const unsigned bytes = each.bytes();
        if (each.offset >= symbol.offset && each.offset - symbol.offset + bytes <= symbol.bytes)
          variable.references.push_back({each.offset - symbol.offset, bytes, expression_of(each)});
      }
      kernel.variables.push_back(std::move(variable));
    }
  }

  static code_records records_of(const code_function& function) {
    code_records records;
    records.registers = function.registers;
    records.frame_bytes = function.frame_bytes;
    records.stack_bytes = function.stack_bytes;
    records.most_threads = function.most_threads;
    if (const auto& block = function.block) records.block = trace::dim3{(*block)[0], (*block)[1], (*block)[2]};
    if (const auto& cluster = function.cluster) records.cluster = trace::dim3{(*cluster)[0], (*cluster)[1], (*cluster)[2]};
    for (const machine_code::code_parameter& each : function.parameters)
      records.parameters.push_back({each.ordinal, each.offset, each.bytes});
    std::sort(records.parameters.begin(), records.parameters.end(), [](const auto& x, const auto& y) { return x.offset < y.offset; });
    return records;
  }

  const machine_code::cubin& cubin_;
  machine_code::decoder decoder_;
  std::size_t labels_ = 0;  ///< so far, in the whole module
};

}  // namespace

launch_code kernel_of_cubin(const machine_code::cubin& cubin, const std::string& kernel) { return cubin_converter(cubin).convert(kernel); }

}  // namespace tc::launches
