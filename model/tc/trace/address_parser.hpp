// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/trace/address_list.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Reads what follows the `@` of an instruction line: `base+stride`, a single base for all lanes, or `{a, b, ...}` with one address for
/// each of `lanes` in lane order. A trace_error if their number is another, or an address is not below address_limit.
void parse_addresses(text_cursor& in, lane_mask lanes, address_list& addresses);

}  // namespace tc::trace
