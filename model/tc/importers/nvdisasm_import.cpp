// SPDX-License-Identifier: Apache-2.0
#include "nvdisasm_import.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/defined_bytes.hpp>
#include <tc/execution/execution_counts.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/execution/memory_spaces.hpp>
#include <tc/execution/module_symbols.hpp>
#include <tc/execution/program.hpp>
#include <tc/importers/import_observer.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/trace/instruction_check.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>
#include <tc/warp/kernel_constants.hpp>

namespace tc::importers {

using listings::listed_instruction;
using listings::sass_kernel;

namespace {

constexpr unsigned resident_ctas = 256;                        // that may wait for each other
constexpr std::uint64_t local_bytes = std::uint64_t{1} << 16;  // of a thread

warp::constant_memory constants_of(const trace::kernel_header& header) {
  warp::constant_memory constants;
  for (const trace::constant_image& image : header.constants) {
    std::vector<std::uint8_t> bytes(image.content.bytes());
    image.content.copy(0, bytes.data(), bytes.size());
    constants.set(image.bank, static_cast<std::uint32_t>(image.offset), bytes);
  }
  return constants;
}

void check_registers_of(const execution::program& code, unsigned registers) {
  for (const execution::operation& op : code.operations()) {
    if (code.listed(op).line.empty()) continue;
    const listed_instruction& listed = code.kernel().code[op.number];
    trace::instruction_line parts;
    parts.code = listed.text;
    parts.code_position = listed.column - 1;
    trace::check_registers(*op.code, registers, parts, trace::text_cursor({code.kernel().file, listed.line, {}}));
  }
}

void check_given_addresses(const kernel_launch& launch, const execution::program& code) {
  const sass_kernel& kernel = code.kernel();
  for (const auto& [pc, text] : launch.addresses) {
    const std::size_t index = pc / trace::instruction_bytes;
    if (index >= code.operations().size() || pc % trace::instruction_bytes != 0)
      throw trace::trace_error(kernel.file, kernel.line, 1,
                               fmt::format("addresses are given for pc {:04x}; the kernel {} has instructions at 0000, 0010, ... {:04x}",
                                           pc, kernel.name, kernel.code.back().pc));
    const listings::program_instruction& at = code.listed(code.operations()[index]);
    if (!at.line.empty() && at.access.space == isa::memory_space::none)
      throw trace::trace_error(kernel.file, at.listing_line, at.listing_column,
                               fmt::format("addresses are given for pc {:04x}, but '{}' accesses no memory", pc, at.code.text));
  }
}

/// Instructions of machine code that traces hold as instructions of PTX, which the importer does not make of them.
struct family_of_ptx {
  std::string_view begin, what;
};
constexpr std::array families_of_ptx{family_of_ptx{"SYNCS", "mbarriers"},    family_of_ptx{"UTMA", "bulk tensor copies"},
                                     family_of_ptx{"UBLK", "bulk copies"},   family_of_ptx{"UTC", "tensor memory"},
                                     family_of_ptx{"LDTM", "tensor memory"}, family_of_ptx{"STTM", "tensor memory"}};

/// Why an instruction has no form in a trace: "UTCBAR: ...".
std::string missing_form(const listings::program_instruction& listed) {
  const std::string& known = listed.unknown;
  if (known.empty()) return fmt::format("{}: traces have no form for it", listed.code.text.substr(0, listed.code.text.find(' ')));
  const auto* const family = std::find_if(families_of_ptx.begin(), families_of_ptx.end(),
                                          [&](const family_of_ptx& each) { return known.rfind(each.begin, 0) == 0; });
  if (family == families_of_ptx.end()) return known;
  return fmt::format("{}: traces hold instructions on {} as PTX, which is not made of machine code", known.substr(0, known.find(':')),
                     family->what);
}

/// The instructions that have no form in a trace, as gaps.
import_report forms_missing(const execution::program& code) {
  import_report report;
  for (const execution::operation& op : code.operations()) {
    const listings::program_instruction& listed = code.listed(op);
    if (has_form_in_trace(code, op)) continue;
    report.add_gap(missing_form(listed), "nothing", code.kernel().file, listed.listing_line);
  }
  return report;
}

/// Gives a page of global memory what the launch has there.
void fill_page(const trace::kernel_header& header, execution::global_memory::range& page, execution::defined_bytes& defined) {
  for (const trace::memory_image& image : header.memory) {
    const std::uint64_t first = std::max(image.base, page.base), end = std::min(image.base + image.content.bytes(), page.base + page.bytes);
    if (first >= end) continue;
    image.content.copy(first - image.base, page.content.data() + (first - page.base), end - first);
    defined.define(first, end - first);
  }
}

/// What execution reads of a launch besides its grid: the addresses of symbols, of which the listing gives those that the code has. It lies
/// at 0, so that they are the pcs of the trace.
launches::launch symbols_launch(const sass_kernel& kernel) {
  launches::launch launch;
  launch.file = kernel.file;
  launch.kernel = kernel.name;
  launch.code_address = 0;
  return launch;
}

}  // namespace

import_report import_nvdisasm(const sass_kernel& kernel, const kernel_launch& launch, std::ostream& trace) {
  const trace::kernel_header& header = launch.header;
  const warp::constant_memory constants = constants_of(header);
  const launches::launch nothing_placed = symbols_launch(kernel);
  const execution::module_symbols symbols(nothing_placed, kernel);
  const execution::program code(kernel, symbols, constants, launch.arithmetic.value_or(config::arithmetic_parameters{}));
  check_registers_of(code, header.registers);
  check_given_addresses(launch, code);
  import_report report;
  import_observer observer(kernel, launch, report, trace);
  execution::global_memory memory;
  memory.exist_everywhere([&](execution::global_memory::range& page) { fill_page(header, page, observer.values().global()); });
  execution::execution_counts counts;
  const execution::grid_setting setting{
      code,      memory,  counts, header.grid, header.block, header.cluster, header.shared_bytes, local_bytes, symbols.code_address(),
      &observer, &symbols};
  try {
    execution::run_grid(setting, resident_ctas, {std::numeric_limits<std::uint64_t>::max()}, {});
  } catch (const no_form_in_trace&) {
    return forms_missing(code);
  }
  return report;
}

}  // namespace tc::importers
