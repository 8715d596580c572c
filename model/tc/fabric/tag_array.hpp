// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// The tags of a set-associative cache with least-recently-used replacement. It holds no data: it knows which sectors are there, and when
/// their bytes arrive. A line whose first sector arrives takes the place of another one; further sectors join it. Any number of ways costs
/// the same search, and sectors of one line that are asked for one after another cost one.
class tag_array {
 public:
  /// Every number is at least 1; lines and sectors are powers of two, a line has at most 64 sectors.
  struct shape {
    unsigned sets = 1;
    unsigned ways = 1;
    std::uint64_t line_bytes = 128;
    std::uint64_t sector_bytes = 32;
  };

  explicit tag_array(const shape& s);

  /// The cycle from which on the sector at an address is there, which may be still to come; nothing if it is not, nor on its way. Counts as
  /// a use of the line.
  std::optional<cycle_t> find(std::uint64_t address);

  /// Brings the sector at an address in; its bytes are there from `arrival` on. Whoever hits the line before waits for it.
  void fill(std::uint64_t address, cycle_t arrival);

  /// The same for several sectors of one line, as bits (sectors_of()): which of them are there, and from when on, if any is.
  struct present {
    std::uint64_t sectors = 0;
    cycle_t arrival = 0;
  };
  present find_sectors(std::uint64_t address, std::uint64_t sectors);
  void fill_sectors(std::uint64_t address, std::uint64_t sectors, cycle_t arrival);

  /// Nothing is there any more.
  void clear();

  const shape& dimensions() const { return shape_; }
  /// The sectors, as bits of their line, in which bytes of a line lie.
  std::uint64_t sectors_of(std::uint64_t address, std::uint64_t bytes) const {
    return 2 * sector_bit(address + (bytes - 1)) - sector_bit(address);
  }
  /// First byte of the sector of an address.
  std::uint64_t sector_of(std::uint64_t address) const { return address & ~(shape_.sector_bytes - 1); }

 private:
  static constexpr std::uint32_t no_line = ~std::uint32_t{0};

  struct line {
    std::uint64_t number = 0;            // address / line_bytes
    std::uint64_t sectors = 0;           // bit per sector
    cycle_t arrival = 0;                 // of the sector that comes last
    std::uint32_t set = 0;               // in which it takes a way
    std::uint32_t newer = 0, older = 0;  // lines of the set
    std::uint32_t next = no_line;        // in the same bucket
  };
  /// The ways that lines of a set have taken, and the ends of their order by use.
  struct set {
    std::uint32_t taken = 0;
    std::uint32_t newest = 0, oldest = 0;  // lines
  };
  /// A line that was looked for, and where it is.
  struct place {
    std::uint64_t number = ~std::uint64_t{0};  // none has it: a line has more than one byte
    std::uint32_t line = no_line;
  };

  std::uint64_t number_of(std::uint64_t address) const { return address >> line_shift_; }
  std::uint64_t sector_bit(std::uint64_t address) const {
    return std::uint64_t{1} << ((address & (shape_.line_bytes - 1)) >> sector_shift_);
  }
  /// Finds out where a line is, if it is there.
  bool is_there(std::uint64_t number) {
    if (latest_.number != number) latest_ = {number, find_line(number)};
    return latest_.line != no_line;
  }
  std::uint32_t find_line(std::uint64_t number) const {
    std::uint32_t found = buckets_[bucket_of(number)];
    while (found != no_line && lines_[found].number != number) found = lines_[found].next;
    return found;
  }
  /// Lines that follow each other have buckets that do, which lie in the same line of the host's cache; those at a distance that is a power
  /// of two spread all the same.
  std::size_t bucket_of(std::uint64_t number) const {
    return static_cast<std::size_t>(number ^ number >> bucket_bits_) & (buckets_.size() - 1);
  }
  void index(std::uint32_t added);
  void forget(std::uint32_t removed);
  void rehash(unsigned bucket_bits);
  line& use();
  void take_way();
  void put_first(set& of, std::uint32_t used);

  shape shape_;
  unsigned line_shift_, sector_shift_;
  std::vector<set> sets_;
  std::vector<line> lines_;             // of all sets, in the order in which they took a way
  std::vector<std::uint32_t> buckets_;  // a hash table of the lines, by number: the first of each bucket
  unsigned bucket_bits_ = 0;            // of the number of buckets
  place latest_;                        // of the line that was asked for last
};

inline void tag_array::put_first(set& of, std::uint32_t used) {
  lines_[used].older = of.newest;
  lines_[of.newest].newer = used;
  of.newest = used;
}

/// The line that was found, which is the one used last from now on.
inline tag_array::line& tag_array::use() {
  line& used = lines_[latest_.line];
  set& in = sets_[used.set];
  if (latest_.line == in.newest) return used;
  lines_[used.newer].older = used.older;
  if (latest_.line == in.oldest)
    in.oldest = used.newer;
  else
    lines_[used.older].newer = used.newer;
  put_first(in, latest_.line);
  return used;
}

inline tag_array::present tag_array::find_sectors(std::uint64_t address, std::uint64_t sectors) {
  if (!is_there(number_of(address))) return {};
  const std::uint64_t there = lines_[latest_.line].sectors & sectors;
  if (there == 0) return {};
  return {there, use().arrival};
}

inline std::optional<cycle_t> tag_array::find(std::uint64_t address) {
  const present there = find_sectors(address, sector_bit(address));
  return there.sectors == 0 ? std::nullopt : std::optional(there.arrival);
}

inline void tag_array::fill_sectors(std::uint64_t address, std::uint64_t sectors, cycle_t arrival) {
  if (!is_there(number_of(address))) take_way();
  line& filled = use();
  filled.sectors |= sectors;
  filled.arrival = std::max(filled.arrival, arrival);
}

}  // namespace tc::fabric
