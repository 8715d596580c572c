// SPDX-License-Identifier: Apache-2.0
#include "broken_program.hpp"

#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/engine/engine_reports.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/subcore/tensor_memory/tensor_memory_reports.hpp>

#include "warp_text.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;
namespace report = tc::fabric::report;

namespace {

constexpr isa::architecture_range always{}, hopper_on = isa::hopper_on, hopper_only = isa::hopper_only;

/// A line that no warp may execute. Names in braces are places in the program.
struct wrong_line {
  isa::architecture_range architectures;
  std::string_view rule, line, outcome;
  bool needs_whole_warps = false;
};

// clang-format off
constexpr wrong_line wrong_lines[] = {
    {always, "a register beyond those of the kernel", "/*0000*/ MOV R64, RZ", outcome_of_reading},
    {always, "a register that does not exist", "/*0000*/ IADD3 R256, RZ, RZ, RZ", outcome_of_reading},
    {always, "a register that is not aligned", "/*0000*/ LDS.64 R5, [RZ] @ {data:#x}", outcome_of_reading},
    {always, "registers that pass the last one", "/*0000*/ LDS.128 R62, [RZ] @ {data:#x}", outcome_of_reading},
    {always, "an address that is not aligned", "/*0000*/ LDS.64 R4, [RZ] @ {middle:#x}", outcome_of_reading},
    {always, "an address behind shared memory", "/*0000*/ LDS R4, [RZ] @ {end:#x}", outcome_of_reading},
    {always, "an access across the end of shared memory", "/*0000*/ STS.U8 [RZ], R4 @ {end:#x}+1", outcome_of_reading},
    {always, "fewer addresses than lanes", "/*0000*/ LDS R4, [RZ] mask 00000003 @ {{{data:#x}}}", outcome_of_reading},
    {always, "no addresses", "/*0000*/ LDS R4, [RZ]", outcome_of_reading},
    {always, "addresses of an instruction without any", "/*0000*/ MOV R4, RZ @ {data:#x}", outcome_of_reading},
    {always, "an operand too few", "/*0000*/ IADD3 R4, R5, R6", outcome_of_reading},
    {always, "an operand of another kind", "/*0000*/ LDS 0x4, [RZ] @ {data:#x}", outcome_of_reading},
    {always, "a barrier that a CTA does not have", "/*0000*/ BAR.SYNC 0x10", outcome_of_reading},
    {always, "a barrier in a register", "/*0000*/ BAR.SYNC R4", outcome_of_reading},
    {always, "an unknown opcode", "/*0000*/ FROB R4, R5", outcome_of_reading},
    {always, "an unknown modifier", "/*0000*/ MOV.SLOW R4, R5", outcome_of_reading},
    {always, "a mask of more than 32 lanes", "/*0000*/ NOP mask 1ffffffff", outcome_of_reading},
    {always, "a control code that is none", "/*0000*/ [B------:R9:W-:-:S01] NOP", outcome_of_reading},
    {isa::until_turing, "an instruction of a later architecture", "mbarrier.init.shared::cta.b64 [0x0], 1 mask 00000001", outcome_of_reading},
    {always, "a load outside of global memory", "/*0000*/ LDG.E R4, {pointer} @ 0x10+4", outcome_of_access},
    {always, "a store across the end of global memory", "/*0000*/ STG.E {pointer}, R4 @ {results_end:#x}+4", outcome_of_access, true},

    {hopper_only, "a warpgroup instruction of some lanes", "wgmma.fence.sync.aligned mask 0000ffff", outcome_of_reading},
    {hopper_on, "an mbarrier that is not aligned", "mbarrier.init.shared::cta.b64 [{barrier:#x}4], 1 mask 00000001", outcome_of_reading},
    {hopper_on, "a copy to an address that is not aligned",
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{middle:#x}], [0x100000], 16, [{barrier:#x}] mask 00000001",
     outcome_of_reading},
    {hopper_on, "a copy of several lanes",
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{data:#x}], [0x100000], 16, [{barrier:#x}]", outcome_of_reading},
    {hopper_on, "a copy behind shared memory",
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{end:#x}], [0x100000], 16, [{barrier:#x}] mask 00000001",
     outcome_of_reading},
    {hopper_on, "an arrival where no mbarrier is", "mbarrier.arrive.shared::cta.b64 _, [{barrier:#x}] mask 00000001",
     report::load_store_barrier},
    {hopper_on, "a wait where no mbarrier is", "mbarrier.try_wait.parity.shared::cta.b64 [{barrier:#x}], 0", report::load_store_barrier},
    {hopper_on, "a copy from outside of global memory",
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{data:#x}], [0x10], 16, [{first_barrier:#x}] mask 00000001",
     report::bulk_copy_memory},
    {hopper_on, "a copy to outside of global memory",
     "cp.async.bulk.global.shared::cta.bulk_group [0x10], [{data:#x}], 16 mask 00000001", report::bulk_copy_memory},
    {hopper_on, "a copy whose mbarrier is none",
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{data:#x}], [0x100000], 16, [{barrier:#x}] mask 00000001",
     report::bulk_copy_barrier},
};
// clang-format on

std::string pointer_of(isa::architecture arch) {
  switch (isa::info(arch).global) {
    case isa::global_reference::pointer:
    case isa::global_reference::wide_pointer:
      return "[RZ]";
    default:
      return "desc[UR4][RZ.64]";
  }
}

std::string filled(std::string_view line, const random_program& program) {
  constexpr unsigned barrier_bytes = 8;
  return fmt::format(fmt::runtime(line), fmt::arg("data", program.data_begin), fmt::arg("middle", program.data_begin + 4),
                     fmt::arg("end", program.shared_bytes), fmt::arg("barrier", program.free_barrier),
                     fmt::arg("first_barrier", program.free_barrier - (program.warps + 1) * barrier_bytes),
                     fmt::arg("results_end", program.base + program.bytes - 4), fmt::arg("pointer", pointer_of(program.arch)));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

bool begins(const std::string& line, std::string_view with) { return line.compare(0, with.size(), with) == 0; }
bool is_exit(const std::string& line) { return line.find("EXIT") != std::string::npos; }

/// Puts a line in front of some instruction behind the first meeting of the warps, when all mbarriers are there.
broken_program with_wrong_line(const random_program& program, random_numbers& random) {
  for (;;) {
    const wrong_line& wrong = wrong_lines[random.below(static_cast<unsigned>(std::size(wrong_lines)))];
    // A store of one thread crosses no end.
    if (!wrong.architectures.contains(program.arch) || (wrong.needs_whole_warps && !program.has_whole_warps)) continue;
    std::vector<std::string> lines = lines_of(program.body);
    std::vector<std::size_t> places;
    bool have_met = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (begins(lines[i], "warp ")) have_met = false;
      if (have_met && !begins(lines[i], "cta ") && !begins(lines[i], "warp ")) places.push_back(i);
      have_met = have_met || lines[i].find("BAR.SYNC") != std::string::npos;
    }
    const std::size_t at = places[random.below(static_cast<unsigned>(places.size()))];
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), filled(wrong.line, program));
    return {program.header + text_of(lines), std::string(wrong.rule), std::string(wrong.outcome)};
  }
}

/// Puts lines in front of the ends of the first warps, in the order of the warps.
std::string with_ends(const random_program& program, const std::vector<std::string>& ends) {
  std::vector<std::string> result;
  std::size_t warp = 0;
  const std::vector<std::string> lines = lines_of(program.body);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // Behind other exits the warp goes on.
    const bool is_end = i + 1 == lines.size() || begins(lines[i + 1], "warp ") || begins(lines[i + 1], "cta ") || lines[i + 1].empty();
    if (is_end && is_exit(lines[i]) && warp < ends.size()) result.push_back(ends[warp++]);
    result.push_back(lines[i]);
  }
  return program.header + text_of(result);
}

/// Two warps wait at different barriers, and each other has ended.
broken_program waiting_at_barriers(const random_program& program) {
  return {with_ends(program, {"/*0000*/ BAR.SYNC 0x1", "/*0000*/ BAR.SYNC 0x2"}), "warps that wait at different barriers",
          outcome_of_waiting};
}

/// Puts lines in front of the first barriers of the first warps, in the order of the warps. Later a warp that stands there might be one for
/// whose exit others wait.
std::string with_first_barriers(const random_program& program, const std::vector<std::string>& barriers) {
  std::vector<std::string> result;
  std::size_t warp = 0;
  bool have_met = true;
  for (const std::string& line : lines_of(program.body)) {
    if (begins(line, "warp ")) have_met = false;
    const bool meets = !have_met && line.find(" BAR.") != std::string::npos;
    if (meets && warp < barriers.size()) result.push_back(barriers[warp++]);
    have_met = have_met || meets;
    result.push_back(line);
  }
  return program.header + text_of(result);
}

broken_program differing_at_barrier(const random_program& program) {
  return {with_first_barriers(program, {"/*0000*/ BAR.SYNC 0x1, 0x40", "/*0000*/ BAR.SYNC 0x1, 0x60"}),
          "warps that wait for different numbers of threads", report::barrier_threads};
}

broken_program waiting_at_mbarrier(const random_program& program) {
  const std::string name = fmt::format("[{:#x}]", program.free_barrier);
  return {
      with_ends(program,
                {fmt::format("mbarrier.init.shared::cta.b64 {0}, 1 mask 00000001\nmbarrier.try_wait.parity.shared::cta.b64 {0}, 0", name)}),
      "a wait for an mbarrier at which nobody arrives", outcome_of_waiting};
}

broken_program differing_warpgroup(const random_program& program, random_numbers& random) {
  const auto product = [&program](unsigned first) {
    return fmt::format(
        "wgmma.fence.sync.aligned\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{R{}, R{}, R{}, R{}}}, "
        "{{R8, R9, R10, R11}}, {:#x}, 1, 1, 1, 0\nwgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0",
        first, first + 1, first + 2, first + 3, 0x1000080000 + program.data_begin / 16);
  };
  std::vector<std::string> ends(4, product(24));
  ends[random.below(4)] = product(32);
  return {with_ends(program, ends), "warps of a warpgroup that multiply different matrices", tc::engine::report::warpgroup_mismatch};
}

}  // namespace

broken_program break_program(const random_program& program, random_numbers& random) {
  const unsigned choice = random.below(100);
  if (choice < 6 && program.warps >= 2) return waiting_at_barriers(program);
  if (choice >= 96 && program.warps >= 2) return differing_at_barrier(program);
  if (choice < 12 && hopper_on.contains(program.arch)) return waiting_at_mbarrier(program);
  if (choice < 24 && hopper_only.contains(program.arch) && program.warps % 4 == 0 && program.has_whole_warps)
    return differing_warpgroup(program, random);
  return with_wrong_line(program, random);
}

broken_program break_tensor_program(const std::string& text, random_numbers& random) {
  struct missing_line {
    std::string_view rule, begin, outcome;
  };
  static constexpr std::array<missing_line, 2> missing{{
      {"columns that are not allocated", "tcgen05.alloc", tc::subcore::report::tensor_memory_access},
      {"columns that are not given back", "tcgen05.dealloc", tc::engine::report::allocation_left},
  }};
  const missing_line& what = random.pick(missing);
  std::vector<std::string> lines = lines_of(text);
  const bool is_each = what.begin == "tcgen05.alloc";
  for (auto line = lines.begin(); line != lines.end();) {
    const bool is_one = begins(*line, what.begin);
    line = is_one ? lines.erase(line) : line + 1;
    if (is_one && !is_each) break;
  }
  return {text_of(lines), std::string(what.rule), std::string(what.outcome)};
}

}  // namespace tcsim::random_programs
