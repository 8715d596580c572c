// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// The code of a signal in a VCD file, from its number: printable characters without the space, as few as will do.
std::string vcd_identifier(std::size_t number);

/// The declarations at the head of a VCD file (IEEE 1364-2005, 18.2): a scope for each name in the path of a stream and one for its type,
/// with the type's wave_signals(). Signal 0 is `cycle`, outside all scopes; those of the streams follow in the order of `streams`. How
/// the attributes of a type are read stands in comments: "issue.pc: address", "issue.opcode: text", "stall.cause: 0 wait, 1 barrier". There
/// is no date, so that the same run writes the same file.
std::string vcd_header(const std::vector<const fabric::record_stream*>& streams, std::string_view version);

}  // namespace tc::observe
