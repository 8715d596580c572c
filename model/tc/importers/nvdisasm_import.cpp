// SPDX-License-Identifier: Apache-2.0
#include "nvdisasm_import.hpp"

#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/importers/warp_execution.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/trace/instruction_check.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>
#include <tc/trace/trace_writing.hpp>
#include <tc/warp/kernel_constants.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::importers {
namespace {

warp::constant_memory constants_of(const trace::kernel_header& header) {
  warp::constant_memory constants;
  for (const trace::constant_image& image : header.constants) {
    std::vector<std::uint8_t> bytes(image.content.bytes());
    image.content.copy(0, bytes.data(), bytes.size());
    constants.set(image.bank, static_cast<std::uint32_t>(image.offset), bytes);
  }
  return constants;
}

warp::coordinates coordinates_of(const trace::dim3& extents) { return {extents.x, extents.y, extents.z}; }

/// Of a CTA in its cluster, x fastest (PTX ISA, %cluster_ctarank).
std::uint32_t rank_in_cluster(const trace::dim3& cta, const trace::dim3& cluster) {
  return cta.x % cluster.x + cluster.x * (cta.y % cluster.y + cluster.y * (cta.z % cluster.z));
}

void check_registers_of(const std::vector<listings::program_instruction>& program, const listings::sass_kernel& kernel,
                        unsigned registers) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (!program[i].unknown.empty()) continue;
    trace::instruction_line parts;
    parts.code = kernel.code[i].text;
    parts.code_position = kernel.code[i].column - 1;
    trace::check_registers(program[i].code, registers, parts, trace::text_cursor({kernel.file, kernel.code[i].line, {}}));
  }
}

void check_given_addresses(const kernel_launch& launch, const std::vector<listings::program_instruction>& program,
                           const listings::sass_kernel& kernel) {
  for (const auto& [pc, text] : launch.addresses) {
    const std::size_t index = pc / trace::instruction_bytes;
    if (index >= program.size() || pc % trace::instruction_bytes != 0)
      throw trace::trace_error(kernel.file, kernel.line, 1,
                               fmt::format("addresses are given for pc {:04x}; the kernel {} has instructions at 0000, 0010, ... {:04x}",
                                           pc, kernel.name, program.back().code.pc));
    const listings::program_instruction& at = program[index];
    if (at.unknown.empty() && at.access.space == isa::memory_space::none)
      throw trace::trace_error(kernel.file, at.listing_line, at.listing_column,
                               fmt::format("addresses are given for pc {:04x}, but '{}' accesses no memory", pc, at.code.text));
  }
}

/// The unknown instructions of a program as gaps.
void report_unknown(const std::vector<listings::program_instruction>& program, const listings::sass_kernel& kernel, import_report& report) {
  for (const listings::program_instruction& each : program)
    if (!each.unknown.empty()) report.add_gap(each.unknown, "nothing", kernel.file, each.listing_line);
}

/// The kernel of a launch, CTA by CTA.
class grid_writer {
 public:
  grid_writer(const execution_setting& setting, import_report& report, std::ostream& out)
      : setting_(setting), header_(setting.launch.header), constants_(constants_of(header_)), report_(report), out_(out) {}

  /// False if a warp comes to an unknown instruction.
  bool write() {
    out_ << trace::header_text(header_);
    for (const std::string& line : setting_.launch.content_lines) out_ << line << '\n';
    trace::dim3 cta;
    for (cta.z = 0; cta.z < header_.grid.z; ++cta.z)
      for (cta.y = 0; cta.y < header_.grid.y; ++cta.y)
        for (cta.x = 0; cta.x < header_.grid.x; ++cta.x)
          if (!write_cta(cta)) return false;
    return true;
  }

 private:
  bool write_cta(const trace::dim3& cta) {
    out_ << fmt::format("cta {} {} {}\n", cta.x, cta.y, cta.z);
    warp::warp_context context;
    context.cta_id = coordinates_of(cta);
    context.grid = coordinates_of(header_.grid);
    context.block = coordinates_of(header_.block);
    context.cluster_rank = rank_in_cluster(cta, header_.cluster);
    context.constants = &constants_;
    for (unsigned warp = 0; warp < header_.warps_per_cta(); ++warp) {
      context.warp_in_cta = warp;
      std::string text = fmt::format("warp {}\n", warp);
      if (!warp_execution(setting_, context, header_.lanes_of_warp(warp), report_).run(text)) return false;
      out_ << text;
    }
    return true;
  }

  const execution_setting& setting_;
  const trace::kernel_header& header_;
  warp::constant_memory constants_;
  import_report& report_;
  std::ostream& out_;
};

}  // namespace

import_report import_nvdisasm(const listings::sass_kernel& kernel, const kernel_launch& launch, std::ostream& trace) {
  import_report report;
  const auto program = listings::decode_sass(kernel);
  check_registers_of(program, kernel, launch.header.registers);
  check_given_addresses(launch, program, kernel);
  const execution_setting setting{kernel, program, launch};
  if (grid_writer(setting, report, trace).write()) return report;
  import_report unknown;
  report_unknown(program, kernel, unknown);
  return unknown;
}

}  // namespace tc::importers
