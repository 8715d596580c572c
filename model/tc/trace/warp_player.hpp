// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tc/trace/register_preset.hpp>
#include <tc/trace/step_codec.hpp>
#include <tc/trace/trace_contents.hpp>

namespace tc::trace {

/// Plays the steps of one warp in order: made ones as they are wanted, packed ones through a buffer of its own, a piece of the source at a
/// time. Any number of players may be active
/// at once; the trace must outlive them.
class warp_player {
 public:
  /// Plays the warp at `position` among all warps of the trace. Throws spool_error, or trace_error for a packed trace that is damaged, or
  /// has a step that no text could have.
  warp_player(const trace_contents& contents, std::uint32_t position);
  /// Plays the `warp`th warp of a CTA whose steps are made.
  warp_player(const trace_contents& contents, const cta_entry& cta, unsigned warp);
  /// The same in a run, which must outlive it.
  warp_player(const trace_contents& contents, const cta_entry& cta, unsigned warp, step_run& run, unsigned sm);

  /// Number of the warp within its CTA.
  unsigned warp() const { return warp_; }
  /// Values of registers before the first step, in the order of the trace.
  const std::vector<register_preset>& presets() const { return presets_; }
  /// Takes the next step; false, and `s` unchanged, at the end. Throws as the constructor does.
  bool next(step& s);

  /// Whether the steps are executed as they run, so that issue() and perform() are to be called.
  bool is_executed() const { return is_executed_; }
  /// See made_steps.
  void issue(step& s, std::uint64_t cycle);
  void perform(std::uint32_t access) { made_->perform(access); }
  /// What stands for the last step's instruction in the packed steps.
  std::uint32_t form() const { return form_; }
  /// The line behind which the steps begin.
  std::uint64_t line() const { return line_; }

 private:
  /// Makes the next `count` bytes of the extent, or all that are left, available at the returned place.
  const std::uint8_t* window(std::size_t count) { return end_ - begin_ >= count ? buffer_.data() + begin_ : refill(count); }
  const std::uint8_t* refill(std::size_t count);
  /// Marks what was read up to `end` of the last window as consumed.
  void consume(const std::uint8_t* end) { begin_ = static_cast<std::size_t>(end - buffer_.data()); }

  /// Whether warp and presets are those of the kernel.
  bool fits() const;
  [[noreturn]] void fail() const;

  bool next_packed(step& s);
  void find_code(step& s);
  void check(const step& s) const;

  const trace_contents* contents_;
  std::unique_ptr<made_steps> made_;           ///< null: they are packed
  std::uint64_t offset_ = 0, extent_end_ = 0;  ///< what of the extent is still to be read from the spool file
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< bytes of the buffer that were read but not consumed
  unsigned warp_ = 0;
  lane_mask lanes_ = 0;      ///< those of the warp that have a thread
  bool is_foreign_ = false;  ///< step_source::is_foreign()
  bool is_executed_ = false;
  std::uint64_t line_ = 0;
  std::uint32_t form_ = 0;
  std::vector<register_preset> presets_;
  step_codec codec_{0};
};

}  // namespace tc::trace
