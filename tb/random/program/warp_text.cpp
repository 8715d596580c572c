// SPDX-License-Identifier: Apache-2.0
#include "warp_text.hpp"

#include <fmt/format.h>

#include <tc/isa/control_code.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tcsim::random_programs {

namespace isa = tc::isa;

std::string warp_text::random_control(const std::string& instruction) {
  const isa::instruction code = isa::parse_operation(instruction, arch_);
  if (!with_control_ || random_.chance(10)) return {};
  isa::control_code control;
  if (random_.chance(20)) control.wait_mask = static_cast<std::uint8_t>(random_.below(1U << isa::control_code::barriers));
  if (isa::info(code.op).latency == isa::latency_class::queued) {
    if (random_.chance(30)) control.read_barrier = static_cast<std::uint8_t>(random_.below(isa::control_code::barriers));
    if (random_.chance(50)) control.write_barrier = static_cast<std::uint8_t>(random_.below(isa::control_code::barriers));
  }
  control.yield = random_.chance(30);
  control.stall_cycles = static_cast<std::uint8_t>(random_.chance(80) ? random_.between(1, 4) : random_.below(16));
  return "[" + isa::text_of(control) + "] ";
}

std::string warp_text::mask_text(std::uint32_t mask) const { return mask == existing_ ? std::string() : fmt::format(" mask {:08x}", mask); }

void warp_text::add(const std::string& instruction, std::uint32_t mask, const std::string& addresses) {
  if (lanes_ == 0) return;
  lines_ += fmt::format("/*{:04x}*/ {}{}{}", 16 * instructions_++, random_control(instruction), instruction, mask_text(mask & lanes_));
  if (!addresses.empty()) lines_ += " @ " + addresses;
  lines_ += '\n';
}

void warp_text::add_ptx(const std::string& instruction, std::uint32_t mask) {
  if (lanes_ == 0) return;
  lines_ += instruction + mask_text(mask & lanes_) + '\n';
  ++instructions_;
}

void warp_text::exit(std::uint32_t mask) {
  const std::uint32_t leaving = mask & lanes_;
  add(leaving == lanes_ ? "EXIT" : expand_template("@%c EXIT", random_), leaving);
  lanes_ &= ~leaving;
}

}  // namespace tcsim::random_programs
