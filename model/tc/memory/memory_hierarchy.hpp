// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/config/cache_parameters.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/tag_array.hpp>

namespace tc::memory {

using fabric::cycle_t;

/// When an access to global memory is answered, by what the caches have. L1 caches stand before address translation, one for each SM; the
/// translation buffer and the L2 cache are the GPU's. Bytes are elsewhere: the caches hold tags, and never give an old value. Levels have
/// no limit of bandwidth; who asks for a sector that is on its way waits for it.
///
/// Sectors are counted once for each access of an instruction: parts of it that lie in one sector are served together, and are no reuse.
class memory_hierarchy {
 public:
  /// An access to the bytes [address, address + bytes) that arrives in the cycle `arrival`.
  struct request {
    unsigned sm = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 4;
    cycle_t arrival = 0;
    bool bypass_l1 = false;
    bool goes_on = false;  ///< behind the request before it, as a part of the same access to the same line
  };

  /// Bytes that passed the levels that all SMs share.
  struct shared_traffic {
    std::uint64_t read_from_l2 = 0;    ///< that the L2 cache handed to SMs, those that it had to fetch too
    std::uint64_t read_from_dram = 0;  ///< of the sectors that it fetched
    std::uint64_t written_anew = 0;    ///< to sectors that it did not have: they go to DRAM when it replaces them
  };

  explicit memory_hierarchy(const config::memory_hierarchy_parameters& parameters);

  /// The cycle in which the data of a read are at the SM.
  cycle_t read(const request& r);

  /// The cycle in which a write is acknowledged: when the L2 cache has it, which takes it without fetching the line. An L1 cache that has
  /// the sector keeps it, with the new bytes.
  cycle_t write(const request& r);

  /// A kernel begins: the L1 caches are empty.
  void invalidate_l1();

  /// As after construction.
  void reset();

  const shared_traffic& traffic() const { return counted_.traffic; }

  /// Hits and misses of each level, in sectors, and bytes by the level that had them.
  void collect(fabric::statistics_sink& sink) const;

 private:
  struct level_counters {
    std::uint64_t hits = 0, misses = 0;
  };
  struct counters {
    level_counters l1{}, translation{}, l2{};
    std::uint64_t l1_bypassed = 0;
    std::uint64_t l1_bytes = 0, l2_bytes = 0, dram_bytes = 0;
    std::uint64_t l2_bytes_written = 0;
    shared_traffic traffic{};
  };
  /// What the access that is being served has come to.
  struct progress {
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};  // no sector or page begins there

    std::uint64_t l1_sector = nowhere, l2_sector = nowhere;  ///< the last
    bool in_l2 = false;                                      ///< whether the L2 cache had it
    std::uint64_t page = nowhere;                            ///< the last that was translated
  };

  fabric::tag_array& l1_of(unsigned sm);
  cycle_t read_again(const request& r, fabric::tag_array& l1);
  cycle_t read_new(const request& r, fabric::tag_array& l1);
  std::optional<cycle_t> read_line(const request& r, fabric::tag_array& l1);
  cycle_t read_sector(const request& r, fabric::tag_array& l1, std::uint64_t address);
  std::optional<cycle_t> write_line(const request& r);
  cycle_t translate(std::uint64_t address, cycle_t arrival);
  bool count_l2(std::uint64_t sector, bool is_there);
  cycle_t read_l2(std::uint64_t address, cycle_t translated);
  cycle_t read_l2_sector(std::uint64_t address, std::uint64_t bytes, cycle_t translated);

  config::memory_hierarchy_parameters params_;
  bool sectors_are_equal_;             // in both levels
  bool lines_are_equal_;               // and the lines too
  std::uint64_t line_bytes_;           // within which an access stays in one line and page
  std::vector<fabric::tag_array> l1_;  // by SM
  fabric::tag_array translations_;
  fabric::tag_array l2_;
  counters counted_{};
  progress served_{};
};

}  // namespace tc::memory
