// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <cmath>
#include <string>

#include <tc/config/described_type.hpp>
#include <tc/config/validation.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::config {

void validate(const shared_memory_parameters& parameters, const std::string& path) {
  require(parameters.bytes > 0 && parameters.bytes <= (1u << 24), member_path(path, "bytes"), "must be from 1 to 16777216");
  require(is_power_of_two(parameters.banks) && parameters.banks <= 1024, member_path(path, "banks"),
          "must be a power of two of at most 1024");
  require(is_power_of_two(parameters.bank_width_bytes) && parameters.bank_width_bytes >= 4 && parameters.bank_width_bytes <= 16,
          member_path(path, "bank_width_bytes"), "must be 4, 8 or 16");
  require(parameters.wavefront_cycles > 0 && parameters.wavefront_cycles <= 1000, member_path(path, "wavefront_cycles"),
          "must be from 1 to 1000");
  require(parameters.warp_wavefront_cycles > 0 && parameters.warp_wavefront_cycles <= 1000, member_path(path, "warp_wavefront_cycles"),
          "must be from 1 to 1000");
}

void validate(const sm_parameters& parameters, const std::string& path) {
  require(parameters.sub_cores > 0 && parameters.sub_cores <= 64, member_path(path, "sub_cores"), "must be from 1 to 64");
  require(parameters.max_warps >= parameters.sub_cores && parameters.max_warps <= 1024, member_path(path, "max_warps"),
          "must be from the number of sub-cores to 1024");
  require(parameters.max_ctas > 0 && parameters.max_ctas <= 1024, member_path(path, "max_ctas"), "must be from 1 to 1024");
  const unsigned issue_to_dispatch = parameters.sub_core.operand_fetch.issue_to_dispatch_cycles;
  require(parameters.sub_core.tensor_core.operand_lead_cycles < issue_to_dispatch,
          member_path(member_path(member_path(path, "sub_core"), "tensor_core"), "operand_lead_cycles"),
          "must be less than operand_fetch.issue_to_dispatch_cycles, " + std::to_string(issue_to_dispatch) +
              ": no operand is taken before its instruction issues");
  require(!parameters.tensor_memory.is_there() || parameters.sub_cores == isa::tensor_chunks, member_path(path, "sub_cores"),
          "must be 4 if there is tensor memory (sm.tensor_memory.columns): each has a chunk of it");
}

namespace {

constexpr const char* clock_rule = "must be above 0 and at most 1000000";

bool is_clock(double mhz) { return std::isfinite(mhz) && mhz > 0 && mhz <= 1e6; }

}  // namespace

void validate(const global_memory_parameters& parameters, const std::string& path) {
  require(!parameters.clock_mhz || is_clock(*parameters.clock_mhz), member_path(path, "clock_mhz"),
          std::string(clock_rule) + ", or null: the SM clock");
  require(parameters.latency_cycles > 0, member_path(path, "latency_cycles"), "must be positive");
  require(is_power_of_two(parameters.line_bytes) && parameters.line_bytes >= 32 && parameters.line_bytes <= 4096,
          member_path(path, "line_bytes"), "must be a power of two from 32 to 4096");
  require(parameters.max_bytes >= 65536, member_path(path, "max_bytes"), "must be at least 65536, a page");
}

void validate(const jitter_parameters& parameters, const std::string& path) {
  require(parameters.start_cycles <= 1000000, member_path(path, "start_cycles"), "must be at most 1000000");
  require(parameters.latency_cycles <= 1000000, member_path(path, "latency_cycles"), "must be at most 1000000");
}

void validate(const machine& parameters, const std::string& path) {
  require(!parameters.architectures.empty(), member_path(path, "architectures"),
          R"(must name at least one architecture; a file that adds to a machine includes it, as in "include": ["turing.json"])");
  for (std::size_t i = 0; i < parameters.architectures.size(); ++i)
    require(isa::find_architecture(parameters.architectures[i]).has_value(), element_path(member_path(path, "architectures"), i),
            "is not one of " + isa::architecture_names());
  require(is_clock(parameters.clock_mhz), member_path(path, "clock_mhz"), clock_rule);
  require(parameters.sms > 0 && parameters.sms <= 1024, member_path(path, "sms"), "must be from 1 to 1024");
}

template const parameter_type& type_of<machine>();

}  // namespace tc::config
