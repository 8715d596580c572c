// SPDX-License-Identifier: Apache-2.0
#include "record_filter.hpp"

#include <tc/observe/record_scope.hpp>

namespace tc::observe {

record_filter::record_filter(const fabric::recorder& recorder, const std::vector<std::string>& scopes)
    : chosen_(streams_in_scopes(recorder.streams(), scopes)) {}

}  // namespace tc::observe
