// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

/// The bulk groups of one warp: its copies out of shared memory between two commits (PTX ISA, cp.async.bulk.commit_group).
class bulk_groups {
 public:
  /// A copy joins the group that the next commit closes; returns the group's number.
  std::uint64_t join();
  void commit();
  /// A copy of a group has read all its bytes, or written them.
  void has_read(std::uint64_t number) { --group_of(number).reading; }
  void has_written(std::uint64_t number);

  /// Whether all groups but the last `pending` have read, or written, all bytes.
  bool have_read_but(std::size_t pending) const;
  bool have_written_but(std::size_t pending) const;

 private:
  struct group {
    unsigned reading = 0, writing = 0;  // copies
  };
  group& group_of(std::uint64_t number) { return groups_[number - first_]; }

  std::deque<group> groups_{1};  // the last one is not committed; complete ones are forgotten from the front
  std::uint64_t first_ = 0;      // number of groups_.front()
};

/// What a sub-core's load-store unit asks of the asynchronous units of its SM: operations on mbarriers, bulk copies, and waiting for both.
/// An mbarrier.try_wait is done when its phase completes, a bulk copy when all is written: until then its warp has not drained, and the CTA
/// keeps its shared memory.
class asynchronous_requests final : public sc_core::sc_module, public fabric::resettable {
 public:
  links::barrier_initiator<asynchronous_requests> barrier{"barrier"};
  links::bulk_copy_initiator<asynchronous_requests> bulk_copy{"bulk_copy"};

  /// Tells the owner that an instruction is done: its result is visible `delay` from now.
  using done_callback = std::function<void(links::warp_instruction& instruction, const sc_core::sc_time& delay)>;

  asynchronous_requests(const sc_core::sc_module_name& name, unsigned warp_slots, fabric::clock_domain& clock, done_callback done);
  ~asynchronous_requests() override;

  /// An instruction with an asynchronous operation, which some lanes execute, arrives `delay` from now; the callback may come within.
  void send(links::warp_instruction& instruction, const sc_core::sc_time& delay);

  void reset() override;

 private:
  /// A request to an mbarrier that has not been answered.
  struct barrier_request {
    links::barrier_transfer transfer{};
    links::warp_instruction* instruction = nullptr;
  };
  struct copy_under_way {
    links::warp_instruction* instruction = nullptr;
    std::uint64_t group = 0;  ///< of a copy out of shared memory
  };
  struct warp_state {
    bulk_groups groups;
    links::warp_instruction* waiting = nullptr;  ///< cp.async.bulk.wait_group
  };

  void send(links::warp_instruction& instruction, const isa::barrier_operation& operation, sc_core::sc_time delay);
  void send(links::warp_instruction& instruction, const isa::bulk_copy_operation& operation, sc_core::sc_time delay);
  void send(links::warp_instruction& instruction, const isa::async_control_operation& operation, const sc_core::sc_time& delay);
  tlm::tlm_sync_enum barrier_answered(links::barrier_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void finish(barrier_request& request, const sc_core::sc_time& delay);
  tlm::tlm_sync_enum copy_progressed(links::bulk_copy_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void release_waiting(warp_state& state, const sc_core::sc_time& delay);
  warp_state& state_of(const links::warp_instruction& instruction) { return warps_[instruction.warp->slot]; }

  fabric::clock_domain& clock_;
  done_callback done_;
  std::vector<warp_state> warps_;  ///< by warp slot
  std::vector<std::unique_ptr<barrier_request>> requests_;
  std::vector<barrier_request*> free_requests_;
  std::vector<std::unique_ptr<copy_under_way>> copies_;
  std::vector<copy_under_way*> free_copies_;
};

}  // namespace tc::subcore
