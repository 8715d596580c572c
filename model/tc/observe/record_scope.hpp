// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// Whether a place lies in a scope as people write it. Both are names with dots between them; underscores and a leading "gpu" do not count,
/// so "sm0.subcore1" is "gpu.sm_0.sub_core_1" and what lies in it. The empty scope is the whole machine.
bool in_scope(std::string_view scope, std::string_view path);

/// For each of the streams, by its number, whether it lies in one of the scopes; all do if there are none. A scope may end with the type of
/// the records, e.g. "sm0.subcore1.bank0.read". Throws std::invalid_argument for a scope without a stream, with what there is to choose
/// from.
std::vector<bool> streams_in_scopes(const std::deque<fabric::record_stream>& streams, const std::vector<std::string>& scopes);

}  // namespace tc::observe
