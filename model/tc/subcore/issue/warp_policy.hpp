// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/subcore/issue/warp_slot.hpp>

namespace tc::subcore {

/// A warp that could issue in this cycle, as a policy sees it.
class warp_candidate {
 public:
  warp_candidate(const warp_slot& seen, std::size_t number) : seen_(&seen), number_(number) {}

  std::size_t slot() const { return number_; }                        ///< its warp slot
  const isa::instruction& next() const { return *seen_->next.code; }  ///< what it would issue
  bool yielded() const { return seen_->yielded; }                     ///< its last instruction asked for another warp's turn
  cycle_t waits_since() const { return seen_->waits_since; }          ///< waits for nothing but units, registers and other warps
  std::uint64_t launch_order() const { return seen_->launch_order; }  ///< older warps have lower numbers
  bool is_older_than(const warp_candidate& other) const { return launch_order() < other.launch_order(); }

 private:
  const warp_slot* seen_;
  std::size_t number_;
};

/// The warps that could issue in this cycle, by slot.
class warp_candidates {
 public:
  class iterator {
   public:
    iterator(const warp_slot* slots, const std::size_t* at) : slots_(slots), at_(at) {}
    warp_candidate operator*() const { return {slots_[*at_], *at_}; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const iterator& other) const { return at_ != other.at_; }

   private:
    const warp_slot* slots_;
    const std::size_t* at_;
  };

  warp_candidates(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready) : slots_(slots), ready_(ready) {}

  std::size_t size() const { return ready_.size(); }
  warp_candidate operator[](std::size_t index) const { return {slots_[ready_[index]], ready_[index]}; }
  iterator begin() const { return {slots_.data(), ready_.data()}; }
  iterator end() const { return {slots_.data(), ready_.data() + ready_.size()}; }

 private:
  const std::vector<warp_slot>& slots_;
  const std::vector<std::size_t>& ready_;
};

/// How a scheduler chooses among warps. It chooses in no cycle twice, and is told of every issue, also of those without a choice.
class warp_policy {
 public:
  virtual ~warp_policy() = default;

  /// The slot of one of the candidates, of which there are at least two.
  virtual std::size_t choose(const warp_candidates& candidates, cycle_t cycle) = 0;
  /// The warp of a slot issues an instruction in this cycle.
  virtual void issued(std::size_t slot, const isa::instruction& code, cycle_t cycle) = 0;
  /// A kernel begins, or the machine was reset: as after construction.
  virtual void reset() = 0;
};

/// Makes the policy of one sub-core.
using warp_policy_maker = std::function<std::unique_ptr<warp_policy>(const config::issue_parameters& parameters)>;

/// Makes a policy known by a name, which sm.sub_core.issue.policy gives. Before a machine that uses it is built, and not while others are.
/// Throws std::invalid_argument if the name is taken.
void add_warp_policy(const std::string& name, warp_policy_maker maker);

/// Throws config::config_error, which lists the known policies, for a name that is none of them.
void require_warp_policy(const std::string& name);

/// The policy that the parameters name. Throws config::config_error, which lists the known ones, for any other that has not been added.
std::unique_ptr<warp_policy> make_warp_policy(const config::issue_parameters& parameters);

}  // namespace tc::subcore
