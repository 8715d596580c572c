// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/trace/lanes.hpp>
#include <tc/trace/trace.hpp>

namespace tc::importers::test {

/// How the tracer of Accel-Sim writes the addresses of a warp.
enum class address_mode { list = 0, stride = 1, differences = 2 };

/// The header that the tracer writes, for one thread block unless `more` says otherwise, up to the first thread block.
std::string accelsim_header_text(unsigned version, unsigned binary_version, unsigned threads = 32, const std::string& more = "");

/// A trace of one thread block of one warp: a header, and instruction lines.
std::string one_accelsim_warp(unsigned version, unsigned binary_version, const std::vector<std::string>& lines);

/// "2 0x100 4 -8": the addresses as a trace of the tracer has them, the mode first.
std::string accelsim_addresses(address_mode mode, const trace::address_list& addresses);

/// What the tracer would have recorded of a kernel that ran as `kernel` says.
std::string accelsim_recording(const trace::trace& kernel, unsigned version);

}  // namespace tc::importers::test
