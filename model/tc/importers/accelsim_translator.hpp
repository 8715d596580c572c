// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <tc/importers/accelsim_code.hpp>
#include <tc/importers/accelsim_header.hpp>
#include <tc/importers/accelsim_instruction.hpp>
#include <tc/importers/import_report.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::importers {

/// What a trace says of an instruction besides its pc and mask.
struct translated_instruction {
  std::string_view text;  ///< opcode and operands, valid until the next one
  trace::address_list addresses;
};

/// Makes of each line of an Accel-Sim trace what the reader of traces takes:
/// - Addresses in the window of shared memory become offsets in it. One outside of the kernel's shared memory, or one that is no multiple
///   of the access, is moved to where it can be, and counted as a gap.
/// - Loads and stores by generic addresses in that window become accesses to shared memory.
/// - A barrier has the number of the immediate if there is one. Barriers of a part of the block's threads are left out.
/// - What cannot be imported is NOP.
class accelsim_translator {
 public:
  /// Both outlive this.
  accelsim_translator(const accelsim_header& header, import_report& report)
      : header_(header), report_(report), code_(header.kernel.arch, header.kernel.registers) {}

  /// Translates a line, whose rest is read from `in`. Throws trace_error.
  translated_instruction translate(const accelsim_instruction& line, trace::text_cursor& in);

 private:
  translated_instruction translate_access(const accelsim_instruction& line, trace::text_cursor& in);
  translated_instruction translate_barrier(const accelsim_instruction& line, std::uint64_t immediate, const trace::text_cursor& in);
  /// A NOP in place of what cannot be imported.
  translated_instruction leave_out(std::string_view why, const trace::text_cursor& in);
  void add_gap(std::string_view what, std::string_view stand_in, const trace::text_cursor& in);

  bool is_in_shared_window(std::uint64_t address) const;
  /// An offset in the kernel's shared memory, which the tracer may have missed.
  std::uint64_t offset_inside(std::uint64_t offset, unsigned bytes, const trace::text_cursor& in);
  void place_addresses(const trace::memory_access& access, trace::address_list& addresses, const trace::text_cursor& in);

  const accelsim_header& header_;
  import_report& report_;
  accelsim_code code_;
  std::string barrier_;
};

}  // namespace tc::importers
