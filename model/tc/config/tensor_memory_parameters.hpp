// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// How the cells of 32 lanes of tensor memory lie in banks, and what a bank serves in a cycle. Loads show aligned pairs of columns
/// (measured on a B200, public SASS documentation project). The other two are hypotheses, in which a shift takes one and two cycles.
enum class tensor_bank_organisation {
  sectors_of_2,  ///< one bank: a sector, two columns from an even one on
  banks_8x64,    ///< column modulo 8 is the bank, which serves a column; 64 columns in each
  banks_4x128,   ///< column modulo 4 is the bank, which serves a column; 128 columns in each
};
BOOST_DESCRIBE_ENUM(tensor_bank_organisation, sectors_of_2, banks_8x64, banks_4x128)

/// tcgen05.shift.
struct tensor_shift_parameters {
  unsigned interval_cycles = 12;
  unsigned completion_cycles = 81;
};
BOOST_DESCRIBE_STRUCT(tensor_shift_parameters, (), (interval_cycles, completion_cycles))

inline constexpr auto describe_parameters(const tensor_shift_parameters*) {
  return std::array{
      parameter_note{"interval_cycles", "cycles",
                     "from one shift to the next one of the SM, at least; 0: the banks alone decide, which take 4 cycles (sectors_of_2), 1 "
                     "(banks_8x64) or 2 (banks_4x128) for 8 columns",
                     "measured on a B200, public SASS documentation project: 119 + 12 n cycles for n shifts"},
      parameter_note{"completion_cycles", "cycles", "from the shifted cells to what a commit tells of",
                     "fitted to 119 + 12 n cycles for n shifts and a commit, measured on a B200, public SASS documentation project"},
  };
}

void validate(const tensor_shift_parameters& parameters, const std::string& path);

/// tcgen05.alloc.
struct tensor_allocation_parameters {
  unsigned cycles = 253;
  unsigned contended_cycles = 1030;
};
BOOST_DESCRIBE_STRUCT(tensor_allocation_parameters, (), (cycles, contended_cycles))

inline constexpr auto describe_parameters(const tensor_allocation_parameters*) {
  return std::array{
      parameter_note{"cycles", "cycles", "of an allocation for which columns are free", "measured on a B300, microbenchmark catalogue"},
      parameter_note{"contended_cycles", "cycles", "of an allocation beside others, at least",
                     "measured on a B300, microbenchmark catalogue"},
  };
}

void validate(const tensor_allocation_parameters& parameters, const std::string& path);

/// How fast a sub-core lets loads and stores (tcgen05.ld, tcgen05.st) in.
struct tensor_admission_parameters {
  unsigned instructions = 3;
  unsigned cycles = 5;
};
BOOST_DESCRIBE_STRUCT(tensor_admission_parameters, (), (instructions, cycles))

inline constexpr auto describe_parameters(const tensor_admission_parameters*) {
  return std::array{
      parameter_note{"instructions", "instructions", "that are let in in `cycles` cycles, one a cycle at most; 1 to 16",
                     "measured on a B200, public SASS documentation project: about 1.65 cycles for a load of one or two columns"},
      parameter_note{"cycles", "cycles", "in which no more than `instructions` are let in", "the same"},
  };
}

void validate(const tensor_admission_parameters& parameters, const std::string& path);

/// The tensor memory of an SM: 128 lanes of 32-bit cells in four chunks of 32 lanes.
struct tensor_memory_parameters {
  unsigned columns = 0;
  tensor_bank_organisation banks = tensor_bank_organisation::sectors_of_2;
  unsigned bytes_per_cycle = 256;
  unsigned latency_cycles = 22;
  unsigned engine_bytes_per_cycle = 256;
  tensor_admission_parameters admission{};
  tensor_shift_parameters shift{};
  tensor_allocation_parameters allocation{};

  /// Whether the machine has tensor memory.
  bool is_there() const { return columns != 0; }
};
BOOST_DESCRIBE_STRUCT(tensor_memory_parameters, (),
                      (columns, banks, bytes_per_cycle, latency_cycles, engine_bytes_per_cycle, admission, shift, allocation))

inline constexpr auto describe_parameters(const tensor_memory_parameters*) {
  return std::array{
      parameter_note{"columns", "columns", "of 32 bits in each of the 128 lanes; 0: no tensor memory", "PTX ISA, tensor memory"},
      parameter_note{"banks", "",
                     "how the columns of 32 lanes lie in banks; neighbouring columns from an even one on never conflict in any",
                     "measured on a B200, public SASS documentation project: sectors_of_2; the others are hypotheses"},
      parameter_note{"bytes_per_cycle", "bytes",
                     "that loads and stores (tcgen05.ld, tcgen05.st) move in a cycle in 32 lanes: registers of a warp, 128 bytes each",
                     "measured on a B200, public SASS documentation project"},
      parameter_note{"latency_cycles", "cycles", "from the last cell that a load or store moves to its completion",
                     "measured on a B200, public SASS documentation project: 22 + 8 n cycles for n loads of 16 columns"},
      parameter_note{"engine_bytes_per_cycle", "bytes", "that the tensor core reads in a cycle in 32 lanes, and writes at the same time",
                     "measured on a B200, public SASS documentation project"},
      parameter_note{"admission", "", "of loads and stores by a sub-core", ""},
      parameter_note{"shift", "", "shifts of lanes", ""},
      parameter_note{"allocation", "", "allocation of columns", ""},
  };
}

void validate(const tensor_memory_parameters& parameters, const std::string& path);

}  // namespace tc::config
