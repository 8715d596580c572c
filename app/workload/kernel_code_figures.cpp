// SPDX-License-Identifier: Apache-2.0
#include "kernel_code_figures.hpp"

#include <cstdint>
#include <map>
#include <string>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/format.h>

#include <tc/isa/control_code.hpp>

namespace tcsim {

namespace {

/// The instructions by their place.
std::map<std::uint32_t, const tc::isa::instruction*> code_of(const tc::trace::trace& trace) {
  std::map<std::uint32_t, const tc::isa::instruction*> code;
  if (trace.ctas().empty()) return code;
  const tc::trace::cta_entry& first = trace.ctas().front();
  for (std::uint32_t warp = 0; warp < first.warp_count; ++warp) {
    tc::trace::warp_player player = trace.play(first, warp);
    tc::trace::step step;
    while (player.next(step)) code.emplace(step.pc, step.code);
  }
  return code;
}

std::uint64_t executions_of(const tc::trace::trace& trace, const std::string& opcode) {
  const auto& opcodes = trace.summary().opcodes;
  const auto found = opcodes.find(opcode);
  return found == opcodes.end() ? 0 : found->second;
}

}  // namespace

boost::json::object code_json(const tc::trace::trace& trace) {
  const auto code = code_of(trace);
  std::string text;
  std::uint64_t nops = 0;
  for (const auto& [pc, instruction] : code) {
    text += fmt::format("{:x} {} {}\n", pc, instruction->control ? tc::isa::text_of(*instruction->control) : "", instruction->text);
    if (instruction->op == tc::isa::opcode::nop) ++nops;
  }
  return {{"id", to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text))},
          {"instructions", code.size()},
          {"nops", nops},
          {"nops_executed", executions_of(trace, "NOP")}};
}

}  // namespace tcsim
