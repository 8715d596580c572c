// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction_word.hpp>
#include <tc/machine_code/elf_file.hpp>

namespace tc::machine_code {

/// Where a kernel's parameter lies, in bytes from the first one.
struct code_parameter {
  std::uint32_t ordinal = 0, offset = 0, bytes = 0;
};

/// A function that a section of code holds beside the kernel, or a variable.
struct code_symbol {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;
};

/// What a relocation puts into the bytes at an offset: the address of a symbol, or a part of it.
struct code_relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::string symbol;
  std::int64_t addend = 0;

  /// What it fills in data: R_CUDA_32 and R_CUDA_G32 are addresses of 32 bits, others of 64.
  unsigned bytes() const { return type == 1 || type == 3 ? 4 : 8; }
};

/// The content of a constant bank.
struct code_constants {
  unsigned bank = 0;
  std::size_t section = 0;  ///< of the file
  std::string_view content;
  std::vector<code_symbol> symbols;          ///< variables in it
  std::vector<code_relocation> relocations;  ///< in the order of the file
};

/// One section of code: a kernel, or functions that kernels call.
struct code_function {
  std::string name;
  bool is_entry = false;
  std::vector<isa::instruction_word> words;
  std::optional<unsigned> registers;                        ///< per thread
  std::optional<std::uint32_t> most_threads;                ///< of a block
  std::optional<std::array<std::uint32_t, 3>> block;        ///< the only one that it is for
  std::optional<std::array<std::uint32_t, 3>> cluster;      ///< the same, in CTAs
  std::uint32_t frame_bytes = 0, stack_bytes = 0;           ///< of local memory
  std::optional<std::uint64_t> shared_bytes;                ///< of a CTA, static
  std::uint32_t parameter_offset = 0, parameter_bytes = 0;  ///< in constant bank 0
  std::vector<code_parameter> parameters;                   ///< by ordinal
  std::vector<code_constants> constants;                    ///< of this kernel alone
  std::vector<code_symbol> functions;                       ///< in it, by offset
  std::vector<code_relocation> relocations;                 ///< by offset
};

/// Data of a module in global memory.
struct module_data {
  std::string_view content;  ///< empty if it begins as zeros
  std::uint64_t bytes = 0;
  std::vector<code_symbol> symbols;
  std::vector<code_relocation> relocations;
};

struct information;

/// A cubin: the machine code of a module for one architecture, as nvcc -cubin, ptxas and cuobjdump -xelf write it.
class cubin {
 public:
  /// Reads a file. Throws code_error: it cannot be read, is no cubin, is damaged, or is for an architecture that is not known.
  static cubin read(const std::filesystem::path& path);
  cubin(std::string name, std::string bytes);
  cubin(cubin&&) noexcept = default;
  cubin& operator=(cubin&&) noexcept = default;

  const std::string& name() const { return file_->name(); }
  isa::architecture arch() const { return arch_; }
  /// As files name it: "sm_90a".
  const std::string& target() const { return target_; }
  const std::vector<code_function>& functions() const { return functions_; }
  /// Null if there is none.
  const code_function* find(std::string_view function) const;
  /// Constant banks of all kernels.
  const std::vector<code_constants>& constants() const { return constants_; }
  const module_data& initialized() const { return initialized_; }
  const module_data& zeroed() const { return zeroed_; }

 private:
  void read_target();
  void read_function(std::size_t index);
  void read_data(std::size_t index);
  void read_symbols();
  void read_relocations();
  void read_attributes(const elf_section& section);
  static void take_attribute(code_function& function, const information& attribute);
  code_function* of_name(std::string_view name);
  code_constants* constants_of(std::size_t section);
  void check_place(const elf_symbol& symbol) const;
  void check_place(const elf_relocation& relocation, unsigned bytes) const;
  std::string name_of(const elf_symbol& symbol) const;

  std::unique_ptr<elf_file> file_;
  isa::architecture arch_ = isa::architecture::sm_75;
  std::string target_;
  std::vector<code_function> functions_;
  std::map<std::size_t, std::size_t> function_of_section_;
  std::map<std::size_t, std::string> owner_of_constants_;  ///< by section; empty: the module
  std::vector<code_constants> constants_;
  module_data initialized_, zeroed_;
  std::size_t initialized_section_ = 0, zeroed_section_ = 0;
};

}  // namespace tc::machine_code
