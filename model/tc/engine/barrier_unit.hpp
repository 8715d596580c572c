// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/asynchronous_parameters.hpp>
#include <tc/engine/barrier_word.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/asynchronous_interfaces.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/shared_memory_initiator.hpp>

namespace tc::engine {

using fabric::cycle_t;

/// The unit of an SM that works on mbarrier objects: one operation at a time, in the order in which they are sent. An object is 64 bits of
/// shared memory (barrier_word); an operation reads them and, if it changes them, writes them back. Beside them the unit remembers which
/// objects are initialised, so that a use of other bytes is noticed, who waits for their phases, and what bulk copies brought: when
/// a warp has waited for it, it tells shared memory that all may look (links::shared_memory_transfer).
class barrier_unit final : public sc_core::sc_module, public fabric::clocked, public fabric::statistics_source, public fabric::resettable {
 public:
  links::barrier_multi_target<barrier_unit> barrier{"barrier"};  ///< any number of links
  links::shared_memory_initiator shared;                         ///< to the shared memory; addresses are those of the SM
  sc_core::sc_port<links::commit_listener, 1, sc_core::SC_ZERO_OR_MORE_BOUND> commit_listener{"commit_listener"};

  struct params {
    config::barrier_unit_parameters unit{};
    bool data = true;  ///< false: memories keep no bytes, and the unit remembers those of its objects
  };

  barrier_unit(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~barrier_unit() override;

  /// The bytes begin a new life, as those of a CTA do when it starts: no object is in them, and nobody waits there.
  void begin_region(std::uint64_t base, std::uint64_t bytes);
  /// A kernel is given up: who waits for a phase is answered that it has not completed, and nobody waits again until the next kernel
  /// begins.
  void let_go();
  void begin_kernel() { lets_wait_ = true; }
  /// As after construction.
  void reset() override;

  /// True if no operation is inside, nobody waits, and no payload is in use.
  bool idle() const;
  /// What is missing for each phase that somebody waits for, and who does; one line for each object.
  void describe(std::vector<std::string>& lines) const;

  void collect(fabric::statistics_sink& sink) const override;

 private:
  static constexpr std::uint16_t object_bytes = 8;
  using transfer = links::barrier_transfer;

  /// A request and the link that it came over.
  struct request {
    transfer* what = nullptr;
    unsigned link = 0;
    cycle_t cycle = 0;  ///< of its arrival, later of its answer
  };
  /// A part of shared memory that a bulk copy has written in a phase.
  struct region {
    std::uint64_t base, bytes, phase;
  };
  /// A commit of the tensor engine that has arrived in a phase.
  struct committed {
    std::uint64_t number, phase;
  };
  struct object {
    barrier_word word;        ///< as it was after the latest operation
    std::uint64_t phase = 0;  ///< number of the open phase
    std::vector<request> waiting{};
    std::vector<region> arrived{};     ///< and nobody has waited for it
    std::vector<committed> commits{};  ///< that have arrived, and nobody has waited for them
  };

  tlm::tlm_sync_enum take(int link, transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void evaluate(cycle_t cycle) override;

  void start();
  void access(bool is_write);
  void done();
  bool perform(bool is_there);
  bool initialise(transfer& what);
  bool change(object& barrier_object, const transfer& what);
  void wait(object& barrier_object);
  void wake_waiting(object& barrier_object);
  void settle(object& barrier_object);
  void forget(object& barrier_object);
  void store(const barrier_word& word);
  void finish(cycle_t valid);
  void answer(const request& answered);

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  std::map<std::uint64_t, object> objects_;  // the initialised ones, by address

  std::deque<request> queue_;                        // the first one is being worked on if busy_
  bool lets_wait_ = true;                            // false: the kernel is given up
  bool busy_ = false;                                // from its read to its last answer
  bool is_waiting_ = false;                          // it waits for a phase, and is not answered when the operation is done
  cycle_t start_ = 0;                                // of the operation
  cycle_t next_start_ = 0;                           // of the next one, at the earliest
  std::array<unsigned char, object_bytes> bytes_{};  // of the object
  const links::access_run whole_{0, 0, object_bytes, 0};
  links::shared_memory_transfer access_;  // to it
  const transfer* calling_ = nullptr;     // the request of the call in progress, as long as it is not answered
  cycle_t call_answered_ = 0;             // when its initiator knows
  std::vector<request> answers_;          // to be sent backward

  std::uint64_t operations_ = 0, phases_ = 0, waits_ = 0, bytes_completed_ = 0;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace tc::engine
