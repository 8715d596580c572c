// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/stall_cause.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::accounting {

using fabric::cycle_t;

/// Global memory against what a trace expects after its kernel.
struct expectation_result {
  struct difference {
    std::uint64_t address = 0;
    std::uint8_t expected = 0, got = 0;
  };

  std::uint64_t base = 0, bytes = 0;
  std::uint64_t compared = 0;         ///< of these bytes: all, or those of samples
  std::uint64_t mismatches = 0;       ///< bytes that differ
  std::uint64_t undefined = 0;        ///< of those compared: what the model did not compute, whether they differ or not
  std::optional<difference> first{};  ///< the one of the lowest address
};

/// How many addresses of a trace were compared with what the registers of their instructions make, one for each lane.
struct address_counts {
  std::uint64_t compared = 0;
  std::uint64_t unknown = 0;    ///< their registers hold no known value, or there are none
  std::uint64_t different = 0;  ///< of those compared: the registers make another address

  address_counts& operator+=(const address_counts& more) {
    compared += more.compared;
    unknown += more.unknown;
    different += more.different;
    return *this;
  }
};

/// Cycles by stall cause.
using stall_cycles = links::cause_cycles;

/// Bytes of a kernel that passed the memories that all SMs share. Zero where they are not modelled: without the hierarchy of global memory,
/// or with a global memory that is not the model's.
struct memory_traffic {
  std::uint64_t read_from_l2 = 0;    ///< that the L2 cache handed to SMs
  std::uint64_t read_from_dram = 0;  ///< that it fetched from DRAM
  std::uint64_t written_anew = 0;    ///< to sectors that it did not have, which it may keep
};

/// One kernel of a run.
struct kernel_result {
  std::string file;  ///< as the caller named the trace
  std::string kernel;
  isa::architecture arch = isa::architecture::sm_70;
  trace::dim3 grid, block, cluster;
  std::uint64_t ctas = 0, warps = 0;  ///< that the trace holds
  std::uint64_t instructions = 0;     ///< issued
  bool finished = false;
  cycle_t start = 0;  ///< first cycle in which a warp may issue
  cycle_t end = 0;    ///< the edge after the last warp's exit with all its stores acknowledged
  std::vector<expectation_result> expectations;
  address_counts addresses{};
  memory_traffic traffic{};

  cycle_t cycles() const { return end - start; }
};

/// A read of the clock register.
struct clock_read {
  std::uint32_t kernel = 0, cta = 0, warp = 0;
  std::uint32_t index = 0;        ///< among the warp's clock reads, in the order of its instructions
  std::uint64_t instruction = 0;  ///< number of the reader among the instructions that its sub-core issued
  std::uint32_t pc = 0;
  cycle_t cycle = 0;  ///< what the register showed
};

/// One warp, from launch to exit. `started` + instructions + the sum of `stalls` = `last_issue` + 1, if its kernel was not given up.
struct warp_result {
  std::uint32_t kernel = 0, cta = 0, warp = 0;
  std::uint64_t instructions = 0;
  cycle_t started = 0, first_issue = 0, last_issue = 0;
  stall_cycles stalls{};
};

/// What reports have in common: of whom each is, and where it first occurred.
struct first_occurrence {
  std::uint32_t kernel = 0, cta = 0, warp = 0;
  const isa::instruction* subject = nullptr;  ///< the instruction of the code that has a report of its own
  cycle_t cycle = 0;

  /// Earlier, or in the same cycle in a warp that comes first.
  bool is_before(const first_occurrence& other) const {
    return std::tie(cycle, kernel, cta, warp) < std::tie(other.cycle, other.kernel, other.cta, other.warp);
  }
};

/// An undefined value that a matrix instruction or a store took; one record for each producing instruction of the code.
struct undefined_value_report : first_occurrence {
  std::string consumer;  ///< instruction text
  std::uint32_t consumer_pc = 0, consumer_line = 0;
  std::string producer;  ///< the instruction that left it undefined; empty: nothing ever wrote the register
  std::uint32_t producer_line = 0;
  std::uint64_t occurrences = 0;

  bool is_of_same(const undefined_value_report& other) const {
    return subject == other.subject && producer.empty() == other.producer.empty();
  }
};

/// A register that the control codes let be read before its producer has written it, or written before it has been read; one record for
/// each consumer and register of the code.
struct hazard_report : first_occurrence {
  std::string consumer;
  std::uint32_t consumer_pc = 0, consumer_line = 0;
  std::string reg;           ///< first register of the operand, e.g. "R8"
  cycle_t cycles_early = 0;  ///< largest of all occurrences; all ones: its producer did not know its end yet
  links::early_kind kind = links::early_kind::overwritten_before_read;  ///< the one that counts for most
  std::uint64_t occurrences = 0;                                        ///< of that kind

  bool is_of_same(const hazard_report& other) const { return subject == other.subject && reg == other.reg; }
  /// Figures of more occurrences: those of a kind that counts for less are forgotten.
  void add(const hazard_report& more);
};

/// A rule of the order of asynchronous instructions that the kernel breaks; one record for each instruction of the code and rule.
struct ordering_report : first_occurrence {
  std::string instruction;
  std::uint32_t line = 0;
  std::string what;  ///< continues a sentence that begins with the instruction
  std::uint64_t occurrences = 0;

  bool is_of_same(const ordering_report& other) const { return subject == other.subject && what == other.what; }
};

/// Addresses of the trace that are not what the registers of the instruction make; one record for each instruction of the code.
struct wrong_address_report : first_occurrence {
  std::string instruction;
  std::uint32_t pc = 0, line = 0;
  std::uint32_t lane = 0;                  ///< the first one of the first occurrence
  std::uint64_t computed = 0, traced = 0;  ///< its addresses: of the registers, and of the trace
  std::uint64_t occurrences = 0;           ///< lanes

  bool is_of_same(const wrong_address_report& other) const { return subject == other.subject; }
};

enum class run_status {
  finished,
  stuck,        ///< nothing is going to happen any more, and a warp has not exited
  cycle_limit,  ///< run_options::max_cycles was reached
  interrupted,  ///< what looks at the run asked for its end (device::run_pauses::stops())
};

/// What a run gave. Deterministic: equal inputs give equal results.
struct run_result {
  run_status status = run_status::finished;
  /// What kept consumers behind their producers where code has control codes: those alone (silicon), or the scoreboard too (interlock).
  config::hazard_policy hazard_rule = config::hazard_policy::silicon;
  std::vector<std::string> waiting;  ///< unless finished: who waits for what, one line for each warp and barrier

  cycle_t cycles = 0;              ///< until the end of the last kernel, or until the run stopped
  std::uint64_t instructions = 0;  ///< issued
  std::vector<kernel_result> kernels;
  std::vector<clock_read> clock_reads;  ///< by kernel, CTA, warp, index
  std::vector<warp_result> warps;       ///< that exited, by kernel, CTA, warp
  stall_cycles stalls{};                ///< of the warps that exited
  std::vector<undefined_value_report> undefined_values;
  std::vector<hazard_report> hazards;
  std::vector<ordering_report> ordering_hazards;
  std::vector<wrong_address_report> wrong_addresses;

  /// Of all kernels.
  address_counts addresses() const;
  /// Addresses that are not what the registers make, in words, a line for each instruction of the code.
  std::vector<std::string> address_errors() const;
  /// Of all expectations.
  std::uint64_t mismatches() const;
  std::uint64_t undefined_bytes() const;
  /// The undefined values and hazards of both kinds in words, one line each.
  std::vector<std::string> warnings() const;
};

/// How a kernel ended.
enum class kernel_outcome : std::uint8_t {
  finished,
  fault,      ///< it did something that the machine cannot do, or a memory refused an access: it was given up
  abandoned,  ///< gpu::abandon()
};

/// A kernel that a GPU of a platform has run. Nothing else is kept of it.
struct ended_kernel {
  std::uint32_t number = 0;  ///< as gpu::submit() gave it
  kernel_outcome outcome = kernel_outcome::finished;
  /// Of this kernel alone: kernels[0] is the kernel, the records of all lists bear its number 0, and `cycles` is what it took. Expectations
  /// are checked only if it finished.
  run_result result;
  /// Of a fault: the message type (such as fabric::report::load_store_memory) and text of the first report, as a run would have ended with.
  std::string fault_type{}, fault_text{};
};

}  // namespace tc::accounting
