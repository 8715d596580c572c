// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/machine.hpp>
#include <tc/engine/copy_walk.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/shared_memory_initiator.hpp>

namespace tc::engine {

/// A path of limited width. A transfer that follows another without a gap begins in what is left of the last cycle of the one before.
class byte_path {
 public:
  explicit byte_path(unsigned bytes_per_cycle) : bytes_per_cycle_(bytes_per_cycle) {}

  /// The first cycle in which another transfer may begin.
  fabric::cycle_t next() const { return next_; }

  /// A transfer begins, not before next(). Returns the full cycles by which the path is taken longer.
  fabric::cycle_t take(fabric::cycle_t cycle, unsigned bytes) {
    if (cycle > next_) left_over_ = 0;
    left_over_ += bytes;
    const fabric::cycle_t cycles = left_over_ / bytes_per_cycle_;
    left_over_ %= bytes_per_cycle_;
    next_ = cycle + cycles;
    return cycles;
  }

 private:
  unsigned bytes_per_cycle_;
  unsigned left_over_ = 0;  ///< bytes already in the cycle next_
  fabric::cycle_t next_ = 0;
};

using fabric::cycle_t;

/// The engine of an SM that copies between global and shared memory while warps run on (the tensor memory accelerator).
///
/// It works on copies in their order: divides one into pieces (copy_walk), fetches a piece a cycle from the memory where it is, as many at
/// a time as may be in flight, and writes those that have come to the other memory. Into and out of shared memory it has a path each, with
/// so many bytes a cycle. Several copies may therefore be on their way, and complete in any order. What lies outside a tensor is filled in
/// shared memory, and left alone in global memory. When the last byte of a copy is in shared memory, the engine tells the mbarrier; when it
/// is on its way to global memory, the initiator: of a memory that answers in the call no later access overtakes it, and another one is
/// waited for.
///
/// It accesses shared memory through the asynchronous proxy, tells it what is arriving, and tells the observer what it reads without having
/// it in order. Any memories will do.
class bulk_copy_engine final : public sc_core::sc_module,
                               public fabric::clocked,
                               public fabric::statistics_source,
                               public fabric::resettable {
 public:
  links::bulk_copy_multi_target<bulk_copy_engine> bulk_copy{"bulk_copy"};  ///< any number of links
  fabric::base_protocol_initiator global;                                  ///< to global memory
  links::shared_memory_initiator shared;                                   ///< to the shared memory; addresses are those of the SM
  links::barrier_initiator<bulk_copy_engine> barrier{"barrier"};           ///< to the barrier unit
  sc_core::sc_port<links::asynchronous_observer, 1, sc_core::SC_ZERO_OR_MORE_BOUND> observer{"observer"};

  struct params {
    config::bulk_copy_parameters engine{};
    config::shared_memory_parameters shared_memory{};
    config::global_memory_parameters global_memory{};
    bool data = true;  ///< false: no bytes move, only time passes
  };

  bulk_copy_engine(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~bulk_copy_engine() override;

  /// True if no copy is inside, no transaction open and no payload in use.
  bool idle() const;

  /// Copies that are not complete, one line each.
  void describe(std::vector<std::string>& lines) const;

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// A bulk copy on its way through the engine.
  struct copy {
    copy(const links::bulk_copy_transfer& request, unsigned from, std::uint32_t line_bytes)
        : what(request), link(from), walk(*request.copy, request.map, line_bytes) {}
    bool to_shared() const { return what.copy->to_shared; }
    links::asynchronous_origin origin() const { return {what.warp, what.code, what.line}; }

    links::bulk_copy_transfer what;
    unsigned link;
    copy_walk walk;
    std::optional<copy_piece> next{};  ///< to be fetched
    std::uint64_t window = 0;          ///< where the CTA's window begins in the SM's shared memory
    cycle_t start = 0;                 ///< of its first request
    bool all_asked = false;            ///< every piece is being fetched, or has been
    unsigned fetching = 0;             ///< pieces that have not been read
    unsigned moving = 0;               ///< that are not in their place
    cycle_t read = 0;                  ///< when the latest piece was
    cycle_t sent = 0, written = 0;
    bool read_noticed = false, complete_noticed = false;
    bool failed = false, unordered = false, undefined = false, told_complete = false;  ///< told already
    links::barrier_transfer completion{};
  };
  /// A piece of a copy, between the memories.
  struct piece {
    copy* of = nullptr;
    copy_piece where{};
    std::uint64_t number = 0;
    bool is_read = false;      ///< and is to be written, or being written
    unsigned outstanding = 0;  ///< accesses, and one while it is being sent
    cycle_t valid = 0;         ///< latest answer
    std::vector<unsigned char> bytes{};
    std::vector<unsigned char> undefined{};  ///< by byte: not 0 if it has no value
    bool any_undefined = false;
    std::vector<links::access_run> runs{};  ///< in shared memory
    links::shared_memory_transfer access{};
  };
  /// In the order in which they came, those of one cycle in that of their copies.
  struct comes_later {
    bool operator()(const piece* a, const piece* b) const { return a->valid != b->valid ? a->valid > b->valid : a->number > b->number; }
  };
  using piece_queue = std::priority_queue<piece*, std::vector<piece*>, comes_later>;
  /// Copies of a direction.
  struct direction {
    explicit direction(const config::bulk_copy_direction_parameters& parameters) : timing(parameters), path(parameters.bytes_per_cycle) {}
    config::bulk_copy_direction_parameters timing;
    byte_path path;          ///< into shared memory or out of it
    cycle_t next_start = 0;  ///< of a copy, at the earliest
  };
  /// What an initiator or an mbarrier is told of a copy.
  struct notice {
    cycle_t cycle;
    copy* of;
    bool complete;  ///< false: all is read
  };

  tlm::tlm_sync_enum take(int link, links::bulk_copy_transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  bool is_inside_window(const copy& c);
  void announce_arrival(const copy& c);

  void evaluate(cycle_t cycle) override;
  void wake_outside_of_an_edge();
  void wake_for(cycle_t arrival, cycle_t cycle);
  void plan_wake_up(cycle_t cycle);

  direction& direction_of(const copy& c) { return c.to_shared() ? loads_ : stores_; }
  copy* first_to_fetch();
  bool next_piece(copy& c);
  cycle_t next_read(const copy& c) const { return c.to_shared() ? next_global_ : stores_.path.next(); }
  void fetch(cycle_t cycle);
  cycle_t next_write(bool is_shared) const { return is_shared ? loads_.path.next() : next_global_; }
  void write_fetched(piece_queue& fetched, bool is_shared, cycle_t cycle);
  piece& new_piece(copy& c);
  void fill(piece& p) const;
  void transfer(piece& p, bool with_shared, bool is_write, cycle_t arrival);
  void send_global(piece& p, bool is_write, cycle_t arrival);
  void send_shared(piece& p, bool is_write, cycle_t arrival);
  void find_runs(piece& p);
  void done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void shared_done(piece& p);
  void end_access(piece& p);
  void report_refusal(copy& c, const char* memory, bool is_write, std::uint64_t address, std::uint64_t bytes, const std::string& response);
  void tell_hazards(copy& c, const links::shared_memory_transfer& seen);
  void advance(piece& p);
  void check_end(copy& c);
  void give_notices(cycle_t cycle);
  void tell(const notice& given, cycle_t arrival);
  tlm::tlm_sync_enum barrier_answered(links::barrier_transfer& completion, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void finish(copy& c, sc_core::sc_time delay);
  void report(const char* type, const copy& c, const std::string& text);

  const params params_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  fabric::payload_pool pool_;
  std::list<copy> copies_;  // in order
  std::vector<std::unique_ptr<piece>> pieces_;
  std::vector<piece*> free_;
  piece_queue to_shared_, to_global_;  // read, and not yet written
  std::vector<notice> notices_;
  direction loads_, stores_;
  cycle_t next_global_ = 0;  // first cycle in which another request can arrive there
  std::uint64_t last_piece_ = 0;
  bool in_edge_ = false;

  std::uint64_t copies_begun_ = 0, requests_ = 0, busy_cycles_ = 0;
  std::uint64_t bytes_to_shared_ = 0, bytes_to_global_ = 0, bytes_filled_ = 0;
};

}  // namespace tc::engine
