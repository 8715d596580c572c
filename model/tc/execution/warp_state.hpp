// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tc/execution/execution_counts.hpp>
#include <tc/execution/program.hpp>
#include <tc/warp/lane_vector.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::execution {

class cta_state;
struct access_request;

/// The registers of a warp.
struct warp_register_file {
  explicit warp_register_file(unsigned registers) : vector(registers) {
    predicates[isa::true_predicate] = uniform_predicates[isa::true_predicate] = ~0U;
  }

  std::vector<warp::lane_vector> vector;
  std::array<std::uint32_t, isa::zero_uniform_register + 1> uniform{};
  std::array<std::uint32_t, isa::true_predicate + 1> predicates{};          ///< bit per lane
  std::array<std::uint32_t, isa::true_predicate + 1> uniform_predicates{};  ///< all bits or none
};

/// Lanes of a warp that go together, and what they wait for.
struct lane_group {
  enum class wait : std::uint8_t { none, convergence, warp, barrier };

  std::uint32_t mask = 0;
  std::uint32_t pc = 0;  ///< number of the instruction that they execute next
  wait waits_for = wait::none;
  std::uint8_t barrier = 0;      ///< a convergence barrier, or a barrier of the CTA
  std::uint32_t companions = 0;  ///< of WARPSYNC: lanes that are waited for
  std::uint32_t apart = 0;       ///< the companions of the last WARPSYNC, if they were not all lanes: others do not join at the same place
};

/// What a reduction at a barrier gave: in how many lanes the predicate held, and whether in any, or in all if that was asked.
struct barrier_vote {
  std::uint32_t count = 0;
  bool holds = false;
};

/// A warp: its registers, and where its lanes are. Lanes that have gone different ways make groups of their own. One runs until it waits
/// for others, or has executed very many instructions, so that each makes progress; it does not make place while it waits for memory. Next
/// is the group that was set aside last (both measured on an H100). They come together where a convergence barrier or WARPSYNC says so
/// (Huerta et al., arXiv 2407.02944).
class warp_state {
 public:
  static constexpr unsigned convergence_barriers = 16;

  warp_state(const program& code, cta_state& cta, const warp::warp_context& context, std::uint32_t lanes, execution_counts& counts);

  /// Executes up to `most` instructions, less if all its lanes wait or have ended. Returns how many. Throws kernel_fault.
  std::uint64_t run(std::uint64_t most);

  // Instruction by instruction, of a warp that a machine runs.

  /// The SM that runs it.
  void place(unsigned sm) { sm_ = sm; }
  unsigned sm() const { return sm_; }

  /// What it executes next; null if all its lanes have ended. Throws kernel_fault.
  const operation* next() const;
  /// Those of the lanes that run in which the guard of an operation holds.
  std::uint32_t guarded_lanes(const operation& op) const;
  /// Executes it in a cycle, and returns in which lanes. Of an access to memory, only the part that takes what it needs from registers:
  /// access_parts has the others. Throws kernel_fault.
  std::uint32_t issue(std::uint64_t cycle, access_request& access);

  bool has_ended() const { return live_ == 0; }
  /// Whether it can execute something.
  bool is_ready() const { return active_ != 0; }
  std::uint32_t live() const { return live_; }

  // For steps.
  const program& code() const { return code_; }
  cta_state& cta() const { return cta_; }
  const warp::warp_context& context() const { return context_; }
  warp_register_file& registers() { return registers_; }
  const warp_register_file& registers() const { return registers_; }
  execution_counts& counts() { return counts_; }
  /// What clocks show: the cycle, or without time the instructions that it has executed.
  std::uint64_t clock() const { return clock_; }
  std::uint32_t active() const { return active_; }
  barrier_vote& last_vote() { return last_vote_; }

  /// A source as lane arithmetic takes it. `low` and `high` hold the value if it is not in a register.
  lanes::lane_source source(const operation& op, unsigned s, warp::lane_vector& low, warp::lane_vector& high) const;
  /// A source of one word in all lanes; `store` may hold it.
  const warp::lane_vector& word(const operation& op, unsigned s, warp::lane_vector& store) const;
  std::uint32_t predicate(const operation& op, unsigned s) const;
  /// Writes register `i` of a destination in the lanes of a mask.
  void write(const isa::operand& destination, unsigned i, const warp::lane_vector& value, std::uint32_t mask);
  void write_predicate(const isa::operand& destination, std::uint32_t value, std::uint32_t mask);
  /// The addresses of a memory operand, modulo 2^64.
  void addresses(const isa::memory_reference& memory, std::array<std::uint64_t, warp::lanes_per_warp>& to) const;

  void jump(std::uint32_t pc) { pc_ = pc; }
  std::uint32_t pc() const { return pc_; }
  /// Lanes of the group that runs go elsewhere, once it is their turn; the others go on.
  void split(std::uint32_t leaving, std::uint32_t pc);
  /// Lanes of the group that runs take a branch, and the others do not. The fewer go first, and if they are as many, those that do not
  /// take it (measured on an H100).
  void diverge(std::uint32_t taken, std::uint32_t pc);
  void end_lanes(std::uint32_t mask);
  void yield();
  /// The group that runs stays apart from lanes that are no companions.
  void stay_apart(std::uint32_t companions) { apart_ = companions == live_ ? 0 : companions; }
  /// The lanes of `mask`, which run, wait; any others of their group go on.
  void wait(std::uint32_t mask, lane_group group);
  /// Lets what waits at a barrier of the CTA go on.
  void release_barrier(unsigned barrier);

  std::array<std::uint32_t, warp::lanes_per_warp>& convergence(unsigned barrier) { return convergence_[barrier]; }
  /// Looks for lanes that wait for others which have come, ended or left.
  void release_converged();

  [[noreturn]] void fail(const operation& op, const std::string& message) const;
  [[noreturn]] void fail(const operation& op, unsigned lane, const std::string& message) const;
  /// "lanes ffff0000 at 0x0120 wait for barrier 0".
  std::string waiting_text() const;

 private:
  const operation& operation_at(std::uint32_t pc) const;
  std::uint32_t begin(const operation& op);
  void choose_group();
  void continue_with(std::vector<lane_group>::iterator chosen);
  void merge(const lane_group& group);
  bool is_released(const lane_group& group) const;
  lanes::lane_source indexed_constant(const operation& op, unsigned s, warp::lane_vector& low, warp::lane_vector& high) const;

  const program& code_;
  cta_state& cta_;
  warp::warp_context context_;
  execution_counts& counts_;
  warp_register_file registers_;
  std::uint32_t live_, active_, pc_ = 0, apart_ = 0;
  std::vector<lane_group> others_;                                                                   ///< all but the group that runs
  std::array<std::array<std::uint32_t, warp::lanes_per_warp>, convergence_barriers> convergence_{};  ///< who takes part, as each lane knows
  barrier_vote last_vote_;
  std::uint64_t clock_ = 0;
  unsigned sm_ = 0;
};

}  // namespace tc::execution
