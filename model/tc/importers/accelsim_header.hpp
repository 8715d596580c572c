// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/importers/import_report.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::importers {

/// What an Accel-Sim trace says about its kernel before the first thread block.
struct accelsim_header {
  /// Versions of the tracer whose traces are read. Since 4, an immediate stands at the end of an instruction; since 6, behind it, the
  /// values of its registers, or NoVal.
  static constexpr unsigned oldest_version = 3, newest_version = 6, first_with_immediates = 4, first_with_values = 6;

  trace::kernel_header kernel;
  unsigned version = 0;
  bool has_line_numbers = false;  ///< the source line stands in front of each instruction
  std::uint64_t shared_base = 0;  ///< generic address of the window of shared memory; 0: not recorded
};

/// Reads the lines of an Accel-Sim trace that begin with a dash: "-block dim = (128,1,1)". Their names are those that the tracer of the
/// Accel-Sim framework writes (tracer_tool.cu). Every failure is a trace_error at its place.
class accelsim_header_reader {
 public:
  /// `arch` takes the place of the binary version.
  accelsim_header_reader(std::optional<isa::architecture> arch, import_report& report) : arch_(arch), report_(report) {}

  /// Reads one line. A line of a name that nobody knows is a gap of the report.
  void read(trace::text_cursor& in);
  /// Checks that all that is needed has been there. `where` is the first line after the header.
  accelsim_header finish(const trace::text_cursor& where);

 private:
  struct row;
  static constexpr std::size_t row_count = 13;
  static const std::array<row, row_count> rows;

  void read_name(trace::text_cursor& in);
  void read_grid(trace::text_cursor& in);
  void read_block(trace::text_cursor& in);
  void read_shared(trace::text_cursor& in);
  void read_registers(trace::text_cursor& in);
  void read_binary_version(trace::text_cursor& in);
  void read_shared_base(trace::text_cursor& in);
  void read_tracer_version(trace::text_cursor& in);
  void read_line_numbers(trace::text_cursor& in);
  void skip(trace::text_cursor& in);

  std::optional<isa::architecture> arch_;
  import_report& report_;
  accelsim_header header_;
  std::bitset<row_count> seen_;
};

}  // namespace tc::importers
