// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction_word.hpp>
#include <tc/listings/listed_data.hpp>

namespace tc::listings {

/// A kernel that is read has no more, unless another number is asked for: 64 MiB of code.
inline constexpr std::size_t max_listed_instructions = std::size_t{1} << 22;

/// One instruction of a listing.
struct listed_instruction {
  std::uint32_t pc = 0;
  std::string text;  ///< "@!P0 BRA `(.L_x_0)"
  isa::instruction_word word;
  std::uint64_t line = 0;    ///< of the listing
  std::uint32_t column = 0;  ///< of the text in that line, from 1
};

/// What a listing has of a constant bank.
struct listed_constants {
  unsigned bank = 0;
  listed_bytes content;
};

/// A word of a constant bank that holds the address of a symbol.
struct listed_reference {
  unsigned bank = 0;
  listed_symbol symbol;
};

/// A variable of the module, with as much of its content as the listing has.
struct listed_variable {
  std::string name;
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> content;      ///< zeros behind it
  std::vector<listed_symbol> references;  ///< addresses in it; offsets are those in the variable
};

/// Where a variable lies that is in a constant bank.
struct constant_variable {
  unsigned bank = 0;
  std::uint32_t offset = 0;
};

/// A function of the module that the kernel calls. Its code lies behind that of the kernel.
struct called_function {
  std::string name;
  std::uint32_t begin = 0;            ///< pc of its first instruction
  std::optional<unsigned> registers;  ///< per thread, if the listing says so
};

/// The machine code of one kernel, as nvdisasm -hex or cuobjdump -sass lists it (CUDA Binary Utilities), and what the listing says of its
/// constants and its shared memory.
struct sass_kernel {
  std::string file;  ///< of the listing, for messages
  isa::architecture arch = isa::architecture::sm_70;
  std::string target;  ///< what the listing names as its architecture: "sm_90a"
  std::string name;
  std::uint64_t line = 0;                       ///< where it begins
  std::optional<unsigned> registers;            ///< per thread, if the listing says so
  std::optional<std::uint64_t> shared_bytes;    ///< of a CTA, with what the system reserves, if the listing says so
  std::vector<listed_constants> constants;      ///< but bank 0, which the launch fills
  std::vector<listed_reference> references;     ///< in the same banks
  std::vector<listed_variable> variables;       ///< of the module
  std::vector<listed_instruction> code;         ///< in the order of their pcs, which are consecutive
  std::map<std::string, std::uint32_t> labels;  ///< pc of each
  std::map<std::string, constant_variable> constant_variables;
  std::vector<called_function> functions;  ///< by their pcs

  /// The registers that the kernel needs with any of its functions: the most that one of them has. Nothing if the listing does not say it.
  std::optional<unsigned> registers_with_functions() const;
  /// Where the kernel, or the function, begins in which an instruction lies.
  std::uint32_t begin_of(std::uint32_t pc) const;
  /// "0x0120", or "0x0120 of FUNCTION", for messages.
  std::string place_of(std::uint32_t pc) const;
};

/// Reads a kernel of a listing (text, .xz or .gz), of which only this kernel is kept, and the functions that it calls. Without a name the
/// listing must hold no other; functions that kernels call are none. `arch` takes the place of what the listing says, and chooses among
/// kernels of the same name. Throws trace::trace_error: the listing cannot be read or is malformed, has no words of machine code or no
/// known architecture, or has no such kernel, or more instructions in it.
sass_kernel read_sass(const std::filesystem::path& path, const std::string& kernel = {},
                      std::size_t max_instructions = max_listed_instructions, std::optional<isa::architecture> arch = std::nullopt);

}  // namespace tc::listings
