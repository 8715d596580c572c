// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/record.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/observe/event_calendar.hpp>
#include <tc/observe/output_file.hpp>
#include <tc/observe/vcd_text.hpp>
#include <tc/observe/window.hpp>

namespace tc::observe {

/// What of a run becomes waves.
struct wave_options {
  std::vector<std::string> scopes{};  ///< as streams_in_scopes() takes them; none: everything
  record_window window{};             ///< a range of instructions: from the first begin of their records to the last end
  std::string version{};              ///< of tcsim, for the header
};

/// Writes records as waves: a VCD file (IEEE 1364-2005, 18) with vcd_header(), in simulated time: a cycle takes the clock's
/// period, so that the file lies beside others of the same simulation.
///
/// A signal has in a cycle the value that it has after all that happens in that cycle. The attributes are those of the record that was
/// begun last; when no record of the stream is open they are z, as on a bus that nobody drives. So whatever a viewer shows is valid, and
/// the quiet line of z does not draw the eyes as x would, which stands for something wrong. A record without length counts, and shows
/// nothing else. `cycle` changes at each time stamp. At the begin of the window, where the file begins, all signals are there.
class wave_writer final : public fabric::record_listener {
 public:
  /// After all streams have been added, before the simulation starts. Throws std::invalid_argument for a scope without streams, and
  /// std::runtime_error if the file cannot be made.
  wave_writer(const std::filesystem::path& path, const fabric::recorder& recorder, const fabric::clock_domain& clock,
              const wave_options& options);
  ~wave_writer() override;

  void write(const fabric::record_event& event) override;

  /// When the simulation has ended, as long as the machine lives: writes what is left and closes the file. Returns whether all went well.
  bool finish();
  /// Whether the run came to the window.
  bool reached_window() const { return dumped_; }
  const output_file& file() const { return file_; }

 private:
  struct value {
    std::uint64_t number = 0;
    std::string_view text{};
    bool driven = true;

    bool operator==(const value& other) const {
      return driven == other.driven && (!driven || (number == other.number && text == other.text));
    }
  };
  struct signal {
    std::string identifier;
    unsigned bits;
    bool is_text;
    value now{}, written{};
  };
  struct open_record {
    std::uint64_t id;
    fabric::cycle_t begin;
    std::size_t entry;  // in the calendar, at `begin`
  };
  struct stream {
    std::size_t first_signal;              // of open, count, and the attributes
    std::vector<std::size_t> attributes;   // that are signals
    std::vector<open_record> told_open{};  // begun and not ended by what has been told
    bool changed = false;
  };
  struct entry {
    std::size_t stream;
    std::size_t first_value;
    bool begins;
    bool has_length;
  };
  struct cycle_events {
    std::vector<entry> entries;
    std::vector<fabric::record_value> values;

    bool empty() const { return entries.empty(); }
    void clear() {
      entries.clear();
      values.clear();
    }
  };

  void add_stream(const fabric::record_stream& source);
  void follow_window(const fabric::record_event& event);
  void tell_begin(std::size_t number, const fabric::record_event& event);
  void tell_end(std::size_t number, const fabric::record_event& event);

  void show(fabric::cycle_t cycle, const cycle_events& events);
  void apply(const entry& what, const cycle_events& events);
  void dump(fabric::cycle_t cycle);
  void write_time(fabric::cycle_t cycle);
  void write_values(const stream& each, bool all);
  void write_value(const signal& each);
  void store();

  static constexpr std::size_t none = ~std::size_t{0};

  const fabric::clock_domain& clock_;
  const vcd_timescale timescale_;
  output_file file_;
  window_progress window_;
  std::unordered_set<std::uint64_t> window_instructions_;  // open ones of a window of instructions

  std::vector<std::size_t> chosen_;  // by the number of a stream: its place in streams_, or none
  std::vector<stream> streams_;
  std::vector<signal> signals_;
  event_calendar<cycle_events> calendar_;
  fabric::cycle_t shown_ = 0;  // what was told of the cycles before it has been written

  std::vector<std::size_t> changed_;  // streams, in the cycle that is being written
  vcd_values text_;
  fabric::cycle_t last_time_ = 0;  // that has been written
  bool dumped_ = false;
};

}  // namespace tc::observe
