// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/trace/register_preset.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/step_codec.hpp>
#include <tc/trace/varint.hpp>

namespace tc::trace {

/// What stands before a warp's packed steps in the spool file, followed by its register presets.
struct extent_head {
  static constexpr std::size_t max_bytes = 3 * max_varint_bytes;

  unsigned warp = 0;       ///< number within the CTA
  std::uint64_t line = 0;  ///< the trace's line that the first step is relative to
  std::size_t presets = 0;

  std::uint8_t* encode(std::uint8_t* out) const;
  void decode(const std::uint8_t*& in);
};

/// No packed preset is longer: file, register, and a value for each lane.
inline constexpr std::size_t max_preset_bytes = (2 + warp_lanes) * max_varint_bytes;

std::uint8_t* encode_preset(const register_preset& preset, std::uint8_t* out);
register_preset decode_preset(const std::uint8_t*& in);

/// Appends the packed steps of one warp after the other to a spool file.
class extent_writer {
 public:
  explicit extent_writer(spool_file& spool) : spool_(spool) {}

  /// Starts the extent of a warp, whose first step stands after `line`. Returns where it begins.
  std::uint64_t begin(unsigned warp, std::uint64_t line);
  /// Adds a register preset, before the first step.
  void add(const register_preset& preset) { presets_.push_back(preset); }
  /// Adds a step. Throws spool_error.
  void add(const step& s);

  const std::vector<register_preset>& presets() const { return presets_; }
  /// True if the current warp has no step yet.
  bool empty() const { return empty_; }

 private:
  void write_head();

  spool_file& spool_;
  unsigned warp_ = 0;
  std::uint64_t line_ = 0;
  std::vector<register_preset> presets_;
  step_codec codec_{0};
  bool empty_ = true;
};

}  // namespace tc::trace
