// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/importers/import_report.hpp>

namespace tcsim {

/// What an import took over and what it could not, for people: a line, then a table of the gaps if there are any.
std::string text_of(const tc::importers::import_report& report);

}  // namespace tcsim
