// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <tc/config/branch_parameters.hpp>
#include <tc/config/bypass_parameters.hpp>
#include <tc/config/cache_parameters.hpp>
#include <tc/config/fetch_parameters.hpp>
#include <tc/config/parameter_type.hpp>
#include <tc/config/tensor_core_parameters.hpp>

namespace tc::config {

/// What separates a consumer from its producer when the trace has control codes.
enum class hazard_policy {
  automatic,  ///< silicon as long as every timing parameter is the preset's, else interlock
  silicon,    ///< the control codes alone; a register read too early gives its old value, and is reported
  interlock,  ///< the control codes and the scoreboard
};
BOOST_DESCRIBE_ENUM(hazard_policy, automatic, silicon, interlock)

struct issue_parameters {
  std::string policy = "greedy_then_youngest";
  unsigned patience_cycles = 52;
  hazard_policy hazards = hazard_policy::automatic;
};
BOOST_DESCRIBE_STRUCT(issue_parameters, (), (policy, patience_cycles, hazards))

inline constexpr auto describe_parameters(const issue_parameters*) {
  return std::array{
      parameter_note{
          "policy", "",
          "choice among ready warps: greedy_then_youngest, greedy_then_oldest, loose_round_robin, or the name of a policy that the "
          "program has added",
          "Huerta et al., arXiv 2503.20481, section 5.1.2"},
      parameter_note{"patience_cycles", "cycles", "a warp that has waited so long goes first; 0: however long it waits",
                     "fitted to streams of matrix instructions of 8 to 16 warps recorded on an H200"},
      parameter_note{"hazards", "",
                     "what separates a consumer from its producer: control codes alone (silicon), with the scoreboard (interlock), or as "
                     "the preset allows (automatic)",
                     "design"},
  };
}

/// How registers map to banks.
enum class bank_mapping { register_modulo, register_plus_warp_modulo };
BOOST_DESCRIBE_ENUM(bank_mapping, register_modulo, register_plus_warp_modulo)

struct register_file_parameters {
  unsigned banks = 2;
  bank_mapping mapping = bank_mapping::register_modulo;
  unsigned read_ports = 1;
  unsigned write_ports = 1;
  unsigned warp_registers = 512;
};
BOOST_DESCRIBE_STRUCT(register_file_parameters, (), (banks, mapping, read_ports, write_ports, warp_registers))

inline constexpr auto describe_parameters(const register_file_parameters*) {
  return std::array{
      parameter_note{"banks", "banks", "register banks of a sub-core", "Jia et al., arXiv 1804.06826, section 3.5"},
      parameter_note{"mapping", "", "bank of a register: its number, or number plus warp, modulo the banks",
                     "Jia et al., arXiv 1804.06826, section 3.5"},
      parameter_note{"read_ports", "registers/cycle", "registers (32 lanes x 32 bit) a bank reads in a cycle",
                     "Huerta et al., arXiv 2503.20481, section 5.3"},
      parameter_note{"write_ports", "registers/cycle", "registers a bank writes in a cycle",
                     "Huerta et al., arXiv 2503.20481, section 5.3"},
      parameter_note{"warp_registers", "registers", "registers of 32 lanes in a sub-core", "NVIDIA white papers: 64 KiB"},
  };
}

void validate(const register_file_parameters& parameters, const std::string& path);

struct reuse_cache_parameters {
  bool enabled = true;
  unsigned slots = 3;
};
BOOST_DESCRIBE_STRUCT(reuse_cache_parameters, (), (enabled, slots))

inline constexpr auto describe_parameters(const reuse_cache_parameters*) {
  return std::array{
      parameter_note{"enabled", "", "whether .reuse keeps an operand", "Huerta et al., arXiv 2503.20481, section 5.3.1"},
      parameter_note{"slots", "operand slots", "operand slots that have an entry for each bank: A, B, C",
                     "Huerta et al., arXiv 2503.20481, section 5.3.1"},
  };
}

void validate(const reuse_cache_parameters& parameters, const std::string& path);

/// Limit of matrix_write_cycles and matrix_integer_write_cycles: the model keeps track of the ports only so far ahead.
inline constexpr unsigned maximum_matrix_write_cycles = 16;

/// From issue to the operands at a unit.
struct operand_fetch_parameters {
  std::string policy = "automatic";
  unsigned collector_units = 0;
  unsigned read_window_cycles = 3;
  unsigned issue_to_dispatch_cycles = 6;
  bool matrix_ports = false;
  unsigned matrix_write_cycles = 4;
  unsigned matrix_integer_write_cycles = 2;
};
BOOST_DESCRIBE_STRUCT(operand_fetch_parameters, (),
                      (policy, collector_units, read_window_cycles, issue_to_dispatch_cycles, matrix_ports, matrix_write_cycles,
                       matrix_integer_write_cycles))

inline constexpr auto describe_parameters(const operand_fetch_parameters*) {
  return std::array{
      parameter_note{"policy", "",
                     "how instructions share the read ports: port_reservation, collectors, automatic (collectors if there are collector "
                     "units), or the name of a policy that the program has added",
                     "design"},
      parameter_note{"collector_units", "units", "operand collector units; 0: instructions reserve read ports ahead instead",
                     "Huerta et al., arXiv 2503.20481, section 5.3: there are none"},
      parameter_note{"read_window_cycles", "cycles", "cycles in which a reserving instruction must find its reads",
                     "Huerta et al., arXiv 2503.20481, section 5.3"},
      parameter_note{"issue_to_dispatch_cycles", "cycles", "from issue to operands at the unit: control, allocate, the read window, latch",
                     "Huerta et al., arXiv 2503.20481, section 5.1.1"},
      parameter_note{"matrix_ports", "", "whether matrix instructions take the ports of the banks from other instructions",
                     "recorded on an H200: FFMA and LOP3 behind matrix instructions are held up"},
      parameter_note{"matrix_write_cycles", "cycles", "from the end of B's reads to the write port that a matrix instruction takes",
                     "fitted to FFMA behind HMMA recorded on an H200"},
      parameter_note{"matrix_integer_write_cycles", "cycles", "the same of integer matrix instructions",
                     "fitted to FFMA behind IMMA recorded on an H200"},
  };
}

void validate(const operand_fetch_parameters& parameters, const std::string& path);

/// An execution unit that is no tensor core and no load-store unit.
struct pipe_parameters {
  unsigned lanes = 32;
  unsigned latency_cycles = 4;
  std::map<std::string, unsigned> opcode_latency_cycles{};
};
BOOST_DESCRIBE_STRUCT(pipe_parameters, (), (lanes, latency_cycles, opcode_latency_cycles))

inline constexpr auto describe_parameters(const pipe_parameters*) {
  return std::array{
      parameter_note{"lanes", "lanes", "lanes; a warp instruction holds the input latch 32 / lanes cycles",
                     "Huerta et al., arXiv 2503.20481, section 5.1.1"},
      parameter_note{"latency_cycles", "cycles", "from operands to result", "compiled code; Jia et al., arXiv 1804.06826, table 4.1"},
      parameter_note{"opcode_latency_cycles", "cycles",
                     "the same for single opcodes, by mnemonic; a form with .WIDE, .32 or .MMA may be named by itself",
                     "compiled code; Jia et al., arXiv 1804.06826, table 4.1"},
  };
}

void validate(const pipe_parameters& parameters, const std::string& path);

struct pipes_parameters {
  pipe_parameters fp32{};
  pipe_parameters integer{};
  pipe_parameters half{};
  pipe_parameters fp64{};
  pipe_parameters special_function{};
  pipe_parameters uniform{};
  pipe_parameters constant{};
  pipe_parameters system{};
};
BOOST_DESCRIBE_STRUCT(pipes_parameters, (), (fp32, integer, half, fp64, special_function, uniform, constant, system))

inline constexpr auto describe_parameters(const pipes_parameters*) {
  return std::array{
      parameter_note{"fp32", "", "FP32 and integer multiply-add", ""},
      parameter_note{"integer", "", "integer, logic, moves, comparison", ""},
      parameter_note{"half", "", "packed 16-bit floating point", ""},
      parameter_note{"fp64", "", "FP64", ""},
      parameter_note{"special_function", "", "transcendental functions, conversions, bit counting", ""},
      parameter_note{"uniform", "", "uniform data path", ""},
      parameter_note{"constant", "", "constant loads: LDC, ULDC that hit the L1 constant cache", ""},
      parameter_note{"system", "", "special registers", ""},
  };
}

/// The load-store unit of a sub-core.
struct load_store_parameters {
  unsigned queue_entries = 5;
  unsigned operands_read_cycles = 8;
  unsigned shared_access_cycles = 2;
  unsigned shared_pipeline_cycles = 21;
  unsigned shared_register_cycles = 1;
  unsigned load_matrix_cycles = 0;
  unsigned global_access_cycles = 4;
  unsigned global_pipeline_cycles = 20;
  unsigned global_register_cycles = 2;
};
BOOST_DESCRIBE_STRUCT(load_store_parameters, (),
                      (queue_entries, operands_read_cycles, shared_access_cycles, shared_pipeline_cycles, shared_register_cycles,
                       load_matrix_cycles, global_access_cycles, global_pipeline_cycles, global_register_cycles))

inline constexpr auto describe_parameters(const load_store_parameters*) {
  return std::array{
      parameter_note{"queue_entries", "instructions", "memory instructions that wait without stalling the warp",
                     "Huerta et al., arXiv 2503.20481, table 1"},
      parameter_note{"operands_read_cycles", "cycles", "from issue until address and data registers may be overwritten",
                     "recorded on an H200: read barrier of STG"},
      parameter_note{"shared_access_cycles", "cycles", "from one access to shared memory to the next one of the sub-core",
                     "measured on an H200; 4 in Huerta et al., table 1"},
      parameter_note{"shared_pipeline_cycles", "cycles", "of a shared-memory access outside the banks",
                     "recorded on an H200: dependent LDS without conflicts"},
      parameter_note{"shared_register_cycles", "cycles", "from one register of a wide LDS to its next one, once all lanes have their data",
                     "measured on an H200: LDS, LDS.64 and LDS.128 of 1, 2 and 4 wavefronts take 23, 26 and 32 cycles"},
      parameter_note{"load_matrix_cycles", "cycles", "what LDSM and MOVM add for distributing rows to lanes",
                     "measured on an H200: nothing; LDSM.x1 takes as long as LDS"},
      parameter_note{"global_access_cycles", "cycles", "from one access to global memory to the next one of the sub-core",
                     "measured on an H200; Huerta et al., arXiv 2503.20481, table 1"},
      parameter_note{"global_pipeline_cycles", "cycles", "of a global-memory access outside the memory",
                     "design: split of the recorded latency"},
      parameter_note{"global_register_cycles", "cycles", "from one register of a wide LDG to its next one, of 32 lanes x 32 bit",
                     "Huerta et al., arXiv 2503.20481, table 2: LDG, LDG.64 and LDG.128 take 32, 34 and 38 cycles"},
  };
}

void validate(const load_store_parameters& parameters, const std::string& path);

/// One of the sub-cores of an SM.
struct sub_core_parameters {
  fetch_parameters fetch{};
  issue_parameters issue{};
  branch_parameters branch{};
  register_file_parameters register_file{};
  reuse_cache_parameters reuse_cache{};
  operand_fetch_parameters operand_fetch{};
  bypass_parameters bypass{};
  tensor_core_parameters tensor_core{};
  pipes_parameters pipes{};
  constant_cache_parameters constant_cache{};
  load_store_parameters load_store{};
};
BOOST_DESCRIBE_STRUCT(sub_core_parameters, (),
                      (fetch, issue, branch, register_file, reuse_cache, operand_fetch, bypass, tensor_core, pipes, constant_cache,
                       load_store))

inline constexpr auto describe_parameters(const sub_core_parameters*) {
  return std::array{
      parameter_note{"fetch", "", "instruction fetch", ""},
      parameter_note{"issue", "", "warp scheduler", ""},
      parameter_note{"branch", "", "control flow", ""},
      parameter_note{"register_file", "", "register file", ""},
      parameter_note{"reuse_cache", "", "reuse caches of the operand slots", ""},
      parameter_note{"operand_fetch", "", "operand collector or port reservation", ""},
      parameter_note{"bypass", "", "from results to consumers", ""},
      parameter_note{"tensor_core", "", "tensor cores", ""},
      parameter_note{"pipes", "", "other execution units", ""},
      parameter_note{"constant_cache", "", "constant caches", ""},
      parameter_note{"load_store", "", "load-store unit", ""},
  };
}

}  // namespace tc::config
