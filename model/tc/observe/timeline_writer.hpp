// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tc/observe/json_text.hpp>
#include <tc/observe/ordered_records.hpp>
#include <tc/observe/output_file.hpp>
#include <tc/observe/recent_records.hpp>
#include <tc/observe/timeline_tracks.hpp>

namespace tc::observe {

/// Writes records as a timeline in the trace-event format ("Trace Event Format", Chromium project; the object form), which Perfetto,
/// chrome://tracing and speedscope open. A cycle is shown as a microsecond, the unit of the format.
///
/// Each sub-core, and what else there is in an SM, is a process; units and warps are its threads, a track that needs several at once has
/// several. Slices: each record ("X"), the issue of each instruction in its first cycle, on the thread of its warp between the stalls of
/// the warp. What belongs to an instruction has the name of its opcode, and its id, text and pc as arguments. The category is the type of
/// the record, of stalls also "stall,<cause>"; a cause has a colour. Arrows ("s", "f") lead from producers to consumers, counters ("C")
/// show how many records of a place are open, and the instructions issued in a cycle. Records that took no time and details are left out.
/// The timeline is as long as the window: a slice that reaches out of it is cut, and has its cycles as arguments `begins` and `ends`, and
/// counters have their values at its begin. Of a window of instructions, these are drawn whole.
///
/// Memory is taken for what is open, and for the instructions that ended last: arrows come from them.
class timeline_writer final : public ordered_records {
 public:
  static constexpr fabric::cycle_t issue_bin = 32;  ///< cycles of which the counter of issued instructions shows the mean

  /// Throws std::runtime_error if the file cannot be made.
  timeline_writer(const std::filesystem::path& path, const fabric::clock_domain& clock, const record_window& window = {});
  ~timeline_writer() override;

  /// After the run: writes what is left, and gives the file its name. Returns whether all went well.
  bool finish();
  const output_file& file() const { return file_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct attribute_view {
    std::size_t number;
    std::string key;  // with a comma before it and a colon behind
  };
  /// How the records of a stream are shown.
  struct stream_view {
    std::size_t process = 0;
    std::size_t track = none;                  // of the slices
    std::size_t issue_track = none;            // of the first cycle of an instruction
    std::size_t counter = none;                // of the records that are open
    std::size_t name_attribute = none;         // a choice that gives a slice its name, unless an instruction does
    bool is_around = false;                    // the slices of the track are within its slices
    bool is_cause = false;                     // what the choice says: why something waits
    std::string category{};                    // begin of what follows the extent of a slice
    std::vector<attribute_view> attributes{};  // those that become arguments
    std::vector<attribute_view> own{};         // those that an instruction above it does not tell
  };
  struct counter {
    std::size_t process;
    std::string event_begin;  // up to the value of "ts", with a comma before it
    std::uint64_t open = 0;
    std::uint64_t shown = 0;
    bool has_changed = false;
  };
  struct issue_rate {
    fabric::cycle_t bin = 0;
    std::uint64_t issued = 0;
  };
  /// A slice that is open: of a record, or of the records of an instruction and a stream.
  struct slice {
    std::size_t stream = 0;
    std::size_t lane = 0;
    fabric::cycle_t begin = 0;
    std::size_t open = 0;     // records
    std::size_t records = 0;  // so far
  };
  /// An instruction while it or something below it is open.
  struct instruction_view {
    std::vector<slice> stages{};
    timeline_thread issue{};    // where its issue was drawn; thread 0: it was not
    std::string description{};  // name and first arguments of its slices, and of those below it
    std::string details{};      // the other arguments of its issue
  };
  struct producer {
    timeline_thread life;
    fabric::cycle_t begin;
    fabric::cycle_t end;
  };

  bool takes(const fabric::record_stream& stream) override;
  void begins(kept_record& record) override;
  void ends(kept_record& record) override;
  void passes(kept_record& record) override;
  void cycle_is_over(fabric::cycle_t cycle) override;

  const stream_view& view_of(const kept_record& record) const { return views_[record.stream->number()]; }
  instruction_view& instruction_of(const kept_record& record) { return instructions_[record.instruction->slot]; }
  void begin_instruction(kept_record& record, const stream_view& view);
  void describe_instruction(const kept_record& record, instruction_view& shown);
  slice& slice_of(const kept_record& record);
  std::size_t take_lane(const kept_record& record);
  void begin_slice(const kept_record& record);
  void draw(const kept_record& record, const slice& what, fabric::cycle_t end, bool has_ended);
  /// Cycles of a slice that are drawn.
  struct extent {
    fabric::cycle_t begin, end;
  };
  extent in_window(const kept_record& record, extent whole) const;
  void add_extent(std::size_t track, std::size_t lane, fabric::cycle_t begin, fabric::cycle_t end);
  void add_description(const kept_record& record, std::size_t records);
  void add_attributes(json_text& text, const kept_record& record, const std::vector<attribute_view>& attributes);
  void draw_arrow(const producer& from, const kept_record& consumer);
  void draw_arrow_end(char phase, const timeline_thread& where, fabric::cycle_t cycle);
  /// A change in a cycle.
  void count(std::size_t counter, bool is_more, fabric::cycle_t cycle);
  void open_window(fabric::cycle_t cycle);
  void show_counters(fabric::cycle_t cycle);
  void count_issue(std::size_t process, fabric::cycle_t cycle);
  void write_rate(std::size_t process, const issue_rate& rate, fabric::cycle_t next_bin);
  void flush();
  void store();

  output_file file_;
  json_text text_;  // that waits for the file
  json_text scratch_;
  timeline_tracks tracks_;
  std::vector<stream_view> views_;              // by the number of the stream
  std::vector<slice> slices_;                   // of the records that have their own, by the slot of the record
  std::vector<instruction_view> instructions_;  // the same
  std::vector<counter> counters_;
  std::vector<std::size_t> changed_;  // counters
  std::vector<issue_rate> rates_;     // by process
  recent_records<producer> producers_;
  std::uint64_t arrows_ = 0;
  bool is_first_ = true;    // no event has been written
  bool is_opened_ = false;  // counters have been shown as they are when the window begins
};

}  // namespace tc::observe
