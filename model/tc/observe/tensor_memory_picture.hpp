// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <tc/fabric/record.hpp>
#include <tc/observe/picture_texts.hpp>

namespace tc::observe {

/// What filled, moved and emptied the cells of tensor memories: writes, shifts and clears, each a rectangle of lanes and columns. Takes
/// records of the type `access`, with the attributes `kind` (all but `read` are looked at), `first_lane`, `lanes`, `first_column` and
/// `columns`; their parents are instructions. All up to the end of a window are kept, since what a cell holds in the window may be older.
class tensor_memory_picture {
 public:
  /// Changes that are kept at most; later ones are dropped.
  static constexpr std::size_t most_changes = 100'000;

  explicit tensor_memory_picture(picture_texts& texts) : texts_(texts) {}

  /// A record's begin, in the order in which the accesses of a chunk take effect.
  void begin(const fabric::record_event& event);

  bool empty() const { return memories_.empty(); }
  bool is_full() const { return changes_ > most_changes; }

  /// [{"path", "changes": [[cycle, kind (0: write, 1: shift, 2: clear), first lane, lanes, first column, columns, text of the
  /// instruction]...]}], by path and cycle.
  boost::json::array json() const;

 private:
  struct change {
    fabric::cycle_t cycle;
    std::size_t kind;  // as in json()
    unsigned first_lane, lanes, first_column, columns;
    std::uint32_t text;
    std::uint64_t parent;
    const fabric::record_stream* stream;

    bool continues(const change& other) const;
  };

  std::vector<change>& changes_of(const fabric::record_stream& stream);

  picture_texts& texts_;
  std::map<std::string, std::vector<change>> memories_;  // by path
  std::size_t changes_ = 0;
};

}  // namespace tc::observe
