// SPDX-License-Identifier: Apache-2.0
#include "trace_error.hpp"

#include <fmt/format.h>

namespace tc::trace {

trace_error::trace_error(const std::string& file, std::uint64_t line, std::size_t column, const std::string& message)
    : std::runtime_error(fmt::format("{}:{}:{}: {}", file, line, column, message)), file_(file), line_(line), column_(column) {}

trace_error trace_error::at_offset(const std::string& file, std::uint64_t offset, const std::string& message) {
  return {file, fmt::format("{}: offset {:#x}: {}", file, offset, message)};
}

}  // namespace tc::trace
