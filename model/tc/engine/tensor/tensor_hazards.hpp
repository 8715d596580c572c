// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/flat_set.hpp>

#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::engine {

/// Asynchronous instructions on tensor memory whose completion nobody has waited for, and who meets their cells meanwhile. Only some pairs
/// run in order without a wait (PTX ISA, "tcgen05 memory consistency model", pipelined instructions): mma before mma on the same
/// accumulators with the same shape, cp before mma, shift before mma, shift before cp.4x256b, mma before shift. What is in order with
/// something in between is in order too, if it is of the same warp: what others issue meanwhile puts nothing in order.
class tensor_hazards {
 public:
  enum class kind : std::uint8_t { mma, copy, copy_4x256b, shift, load, store };

  struct access {
    kind what = kind::mma;
    links::asynchronous_origin origin{};
    std::uint32_t cta_slot = 0;  ///< of the CTA whose cells they are, in their SM; of a pair the warp may be of the other SM
    std::vector<isa::tensor_cells> reads, writes;
    isa::tensor_address accumulators{};  ///< of mma: where D begins
    unsigned m = 0, n = 0, k = 0;        ///< of mma
  };

  /// An instruction whose cells a later one meets.
  struct hazard {
    links::asynchronous_origin earlier{};
    isa::tensor_cells cells{};  ///< that both touch, and one writes
    bool is_written = false;    ///< by the earlier one; otherwise it reads them
  };

  /// An access begins: the first hazard it meets, if it meets one. Numbers ascend.
  std::optional<hazard> begin(std::uint64_t number, access next);

  /// Somebody knows that an access is complete.
  void settle(std::uint64_t number);
  /// And everything that a warp began up to this number, but loads and stores.
  void settle_through(const warp::warp_context& warp, std::uint64_t number);
  /// The CTA has ended.
  void forget(std::uint32_t cta_slot);

 private:
  using number_set = boost::container::flat_set<std::uint64_t>;
  struct entry {
    std::uint64_t number;
    access what;
    number_set ordered;  // accesses of its warp that take effect before it
  };

  std::list<entry> unsettled_;  // in order
};

/// "columns 128 to 135 of lanes 0 to 127", for messages.
std::string text_of(const isa::tensor_cells& cells);

}  // namespace tc::engine
