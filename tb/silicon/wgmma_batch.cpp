// SPDX-License-Identifier: Apache-2.0
#include "wgmma_batch.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/isa/element_type.hpp>
#include <tc/isa/matrix_descriptor.hpp>

#include "listing.hpp"
#include "recorded_run.hpp"
#include "stream_recording.hpp"

namespace tc::silicon {

namespace {

constexpr unsigned a_bytes = 2048, first_accumulator = 24, first_a = 8, window = 0x400;

std::string type_of(const wgmma_batch& batch, unsigned which) {
  std::istringstream text(batch.types);
  std::string type;
  for (unsigned i = 0; i <= which; ++i) std::getline(text, type, '.');
  return type;
}

std::string registers(unsigned first, unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) names.push_back(fmt::format("R{}", first + i));
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

/// A matrix of dense core matrices without swizzle.
std::uint64_t descriptor_at(unsigned address) {
  isa::matrix_descriptor descriptor;
  descriptor.start = address;
  descriptor.leading_bytes = 128;
  descriptor.stride_bytes = 256;
  return isa::encode(descriptor, isa::architecture::sm_90);
}

/// Scale-d, and what follows it for the types.
std::string immediates(const wgmma_batch& batch) {
  const std::string a = type_of(batch, 1);
  if (a == "f16" || a == "bf16") return batch.a_in_registers ? "1, 1, 1, 0" : "1, 1, 1, 0, 0";
  return a == "s8" || a == "u8" ? "1" : "1, 1, 1";
}

unsigned accumulators(const wgmma_batch& batch) { return type_of(batch, 0) == "f16" ? batch.n / 4 : batch.n / 2; }

std::string instruction_of(const wgmma_batch& batch) {
  const std::string a = batch.a_in_registers ? registers(first_a, 4) : fmt::format("{:#018x}", descriptor_at(window));
  return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{} {}, {}, {:#018x}, {}", batch.n, k_of(batch), batch.types,
                     registers(first_accumulator, accumulators(batch)), a, descriptor_at(window + a_bytes), immediates(batch));
}

std::string trace_text(const wgmma_batch& batch) {
  std::ostringstream text;
  text << fmt::format(
      "tcsim-trace 1\narch sm_90\nkernel batch\ngrid 1 1 1\nblock {} 1 1\nshared 16384\nshared-memory {:#x} {} zero\ncta 0 0 0\n",
      128 * batch.warpgroups, window, 16384 - window);
  const std::string multiply = instruction_of(batch);
  for (unsigned warp = 0; warp < 4 * batch.warpgroups; ++warp) {
    text << "warp " << warp << '\n';
    for (unsigned i = 0; i < 4; ++i) text << fmt::format("reg R{} 0x0\n", first_a + i);
    for (unsigned i = 0; i < accumulators(batch); ++i) text << fmt::format("reg R{} 0x0\n", first_accumulator + i);
    text << "/*0000*/ CS2R R2, SR_CLOCKLO\nwgmma.fence.sync.aligned\n";
    for (unsigned i = 0; i < batch.length; ++i) text << multiply << '\n';
    text << "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ CS2R R4, SR_CLOCKLO\n/*f010*/ EXIT\n";
  }
  return text.str();
}

}  // namespace

unsigned k_of(const wgmma_batch& batch) {
  const std::string a = type_of(batch, 1);
  return a == "tf32" ? 8 : a == "f16" || a == "bf16" ? 16 : 32;
}

std::ostream& operator<<(std::ostream& out, const wgmma_batch& batch) {
  return out << fmt::format("m64n{}k{}.{}, A in {}, {} in a row, {} warpgroups", batch.n, k_of(batch), batch.types,
                            batch.a_in_registers ? "registers" : "shared memory", batch.length, batch.warpgroups);
}

std::vector<wgmma_row> wgmma_rows(const std::filesystem::path& folder) {
  std::vector<wgmma_row> rows;
  for (const auto& fields : csv_rows(folder / "h200_wgmma.csv")) {
    wgmma_row row;
    row.batch.n = static_cast<unsigned>(std::stoul(fields.at(0).substr(4)));  // m64n128k16
    row.batch.a_in_registers = fields.at(1) == "RS";
    row.batch.length = static_cast<unsigned>(std::stoul(fields.at(2)));
    row.cycles = std::stol(fields.at(3));
    const bool broken_up = row.batch.a_in_registers && row.batch.length > 16;
    if (!broken_up) rows.push_back(row);
  }
  return rows;
}

fabric::cycle_t cycles_of(const wgmma_batch& batch) {
  std::istringstream stream(trace_text(batch));
  const auto trace = trace::trace::read(stream, "batch");
  auto options = preset_options();
  options.data = false;
  const auto result = run(trace, machine_of("hopper"), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error("the batch does not finish");
  return clock_differences(result).at(0);
}

}  // namespace tc::silicon
