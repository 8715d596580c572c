// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tc/observe/konata_log.hpp>
#include <tc/observe/ordered_records.hpp>
#include <tc/observe/recent_records.hpp>

namespace tc::observe {

/// Writes records as a log for the Konata pipeline viewer. A row for each instruction; its thread is the warp slot, and it begins where the
/// warp began to wait for it. Lane 0 shows its way through the pipeline: `stl` while it waits (the causes are among the details), `Is`,
/// `Op` (operand fetch), `X` (execution), `Wb` (write-back), the other lanes what happens meanwhile: `Me` (memory transaction), `Tr`
/// (operand transfer), `A`, `B`, `C` (tiles in the operand buffers), `Dp` (dot products) and so on. In the cycle of the issue only `Is` is
/// in lane 0. What an instruction does several times at once in a place is one stage.
///
/// In the log are the rows that overlap the window; in a window of instructions, these and what waits meanwhile. A row that ends without an
/// instruction, as the warp or the window does, is marked as flushed.
class konata_writer final : public ordered_records {
 public:
  /// Throws std::runtime_error if the file cannot be made.
  konata_writer(const std::filesystem::path& path, const fabric::clock_domain& clock, const record_window& window = {});
  ~konata_writer() override;

  /// After the run: writes what is left, and gives the file its name. Returns whether all went well.
  bool finish();
  const output_file& file() const { return log_.file(); }

 private:
  enum class stream_role : std::uint8_t { instruction, stall, resident, dependence, stage };
  struct stream_view {
    stream_role role = stream_role::stage;
    std::size_t warp = 0;  // of the first three
    std::string stage{};
    bool is_main = false;  // of lane 0
  };
  /// The records of a row and a stream that overlap: one stage.
  struct stage {
    std::size_t stream;
    std::size_t lane;
    std::size_t open;
  };
  struct row {
    konata_row line{};
    bool is_used = false;
    bool has_instruction = false;
    const kept_record* instruction = nullptr;  // until it has ended
    std::size_t instruction_slot = 0;
    fabric::cycle_t issue = 0;
    std::size_t open_stages = 0;
    std::vector<bool> lanes{};  // which are taken
    std::vector<stage> stages{};
    std::vector<const kept_record*> late{};  // stages of lane 0 that begin with the issue, until the cycle after
  };
  struct warp {
    std::string path;
    row* waiting = nullptr;  // for its instruction
    std::uint64_t rows = 0;
  };

  bool takes(const fabric::record_stream& stream) override;
  void begins(kept_record& record) override;
  void ends(kept_record& record) override;
  void passes(kept_record& record) override;
  void cycle_is_over(fabric::cycle_t cycle) override;

  const stream_view& view_of(const kept_record& record) const { return views_[record.stream->number()]; }
  row*& row_of(const kept_record& record);
  void turn_to(fabric::cycle_t cycle);
  void end_issues();
  void show_rows();

  row& waiting_row(std::size_t warp);
  void begin_instruction(kept_record& record);
  void describe(row& where, const kept_record& record);
  void begin_stage(const kept_record& record, row& where, bool in_main_lane);
  void end_stage(const kept_record& record);
  void end_wait(const kept_record& record);
  /// The instruction that the warp waits with does not come, or not to the log.
  void end_waiting(std::size_t warp, bool is_behind_window);
  void free(row& where);

  konata_log log_;
  std::vector<stream_view> views_;  // by the number of the stream
  std::vector<row*> row_of_slot_;   // of the record
  std::map<std::string, std::size_t, std::less<>> warp_numbers_;
  std::vector<warp> warps_;
  std::deque<row> rows_;
  std::vector<row*> free_rows_;
  std::vector<row*> issued_;               // in the cycle of the log
  std::vector<row*> ending_;               // whose instruction or last stage ended in it
  recent_records<std::uint64_t> retired_;  // their numbers in the log
};

}  // namespace tc::observe
