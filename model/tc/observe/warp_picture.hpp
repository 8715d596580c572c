// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <boost/json.hpp>

#include <tc/fabric/record.hpp>
#include <tc/observe/picture_texts.hpp>
#include <tc/observe/window.hpp>

namespace tc::observe {

/// What warp slots did: instructions in flight, stalls with their causes, which warp was resident. Takes records of the types
/// `instruction`, `stall` and `resident` of a window.
class warp_picture {
 public:
  using cycle_t = fabric::cycle_t;

  /// Records that are kept at most; those that end later are dropped.
  static constexpr std::size_t most_records = 100'000;

  warp_picture(picture_texts& texts, window_progress& window) : texts_(texts), window_(window) {}

  void write(const fabric::record_event& event);

  bool empty() const { return warps_.empty(); }
  /// Whether records were dropped.
  bool is_full() const { return records_ > most_records; }
  /// The latest cycle that anything kept has begun in.
  cycle_t latest() const { return latest_; }

  /// [{"path", "resident": [[begin, end, kernel, CTA, warp]...], "instructions": [[begin, end, text, pc, line]...], "stalls": [[begin, end,
  /// text of the cause]...]}], by path, each list by begin. What is open ends at `last`.
  boost::json::array json(cycle_t last) const;

 private:
  enum class what : std::uint8_t { resident, instruction, stall };
  struct span {
    what kind;
    cycle_t begins, ends;
    std::uint32_t text;                  // of an instruction or a cause
    std::uint64_t first, second, third;  // pc and line; kernel, CTA and warp
    std::size_t warp;
    bool counted = false;  // by the window, as one of its instructions
  };

  void begin(const fabric::record_event& event);
  void end(const fabric::record_event& event);
  bool is_in_window(const span& ended) const;
  std::size_t warp_of(const fabric::record_stream& stream);
  boost::json::object warp_json(std::size_t warp, const std::vector<const span*>& spans) const;

  picture_texts& texts_;
  window_progress& window_;
  std::vector<std::string_view> warps_;  // paths
  std::unordered_map<std::string_view, std::size_t> index_;
  std::unordered_map<std::uint64_t, span> open_;
  std::vector<span> spans_;
  std::size_t records_ = 0;
  cycle_t latest_ = 0;
};

}  // namespace tc::observe
