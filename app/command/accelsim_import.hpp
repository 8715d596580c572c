// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include <tc/importers/import_report.hpp>
#include <tc/isa/architecture.hpp>

namespace tcsim {

/// What a user asks of an import of Accel-Sim traces.
struct accelsim_import_options {
  std::filesystem::path source, output;  ///< a .traceg file and a trace, or a kernelslist.g and a folder
  std::optional<tc::isa::architecture> arch;
  bool strict = false;  ///< what of a kernel cannot be imported keeps all from being written
};

/// What came of it.
struct accelsim_import_result {
  tc::importers::import_report report;
  bool written = false;  ///< false: something could not be imported, which `strict` does not let pass
};

/// Imports a kernel or all of a list, whole or not at all. A name that ends in .xz or .gz asks for a compressed one. Throws trace_error,
/// usage_error.
accelsim_import_result import_accelsim(const accelsim_import_options& options);

}  // namespace tcsim
