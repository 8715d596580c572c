// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/trace/kernel_header.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::trace {

/// The first lines of a trace, from the magic to the size of shared memory. What the header says about the contents of memory is not
/// in them.
std::string header_text(const kernel_header& header);

/// Appends " @ ..." in the shortest form: a base and a stride, or the list. Nothing if no lane has an address.
void append_addresses(std::string& text, const address_list& addresses);

}  // namespace tc::trace
