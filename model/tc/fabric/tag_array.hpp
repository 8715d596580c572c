#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// The tags of a set-associative cache with least-recently-used replacement. It holds no data: it knows which sectors are there, and when
/// their bytes arrive. A line whose first sector arrives takes the place of another one; further sectors join it.
class tag_array {
 public:
  /// Every number is at least 1; lines and sectors are powers of two, a line has at most 64 sectors.
  struct shape {
    unsigned sets = 1;
    unsigned ways = 1;
    std::uint64_t line_bytes = 128;
    std::uint64_t sector_bytes = 32;
  };

  explicit tag_array(const shape& s) : shape_(s), sets_(s.sets) {}

  /// The cycle from which on the sector at an address is there, which may be still to come; nothing if it is not, nor on its way. Counts as
  /// a use of the line.
  std::optional<cycle_t> find(std::uint64_t address);

  /// Brings the sector at an address in; its bytes are there from `arrival` on. Whoever hits the line before waits for it.
  void fill(std::uint64_t address, cycle_t arrival);

  /// Nothing is there any more.
  void clear();

  const shape& dimensions() const { return shape_; }
  /// First byte of the sector of an address.
  std::uint64_t sector_of(std::uint64_t address) const { return address & ~(shape_.sector_bytes - 1); }

 private:
  struct line {
    std::uint64_t number = 0;   // address / line_bytes
    std::uint64_t sectors = 0;  // bit per sector
    std::uint64_t last_use = 0;
    cycle_t arrival = 0;  // of the sector that comes last
  };

  line* find_line(std::uint64_t number);
  std::uint64_t sector_bit(std::uint64_t address) const { return std::uint64_t{1} << address % shape_.line_bytes / shape_.sector_bytes; }

  shape shape_;
  std::vector<std::vector<line>> sets_;  // a set takes memory for the lines that it has held
  std::uint64_t uses_ = 0;
};

}  // namespace tc::fabric
