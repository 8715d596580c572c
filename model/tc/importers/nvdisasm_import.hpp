// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <tc/importers/import_report.hpp>
#include <tc/importers/kernel_launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::importers {

/// Executes a launch of a kernel and writes its trace, all CTAs and warps of its grid, with the control codes of its machine code. What
/// cannot be imported is in the report: opcodes without a form in a trace, if a warp comes to one (then what is written is no trace), and
/// masks and addresses that do not follow from what the launch gives (then the trace lacks their instructions). Throws trace::trace_error
/// for registers that the kernel of the launch does not have, for given addresses of a pc where nothing accesses memory, and for addresses
/// that an instruction cannot access; execution::kernel_fault where the way of a warp does not follow from what is given, and for what the
/// kernel does wrong.
import_report import_nvdisasm(const listings::sass_kernel& kernel, const kernel_launch& launch, std::ostream& trace);

}  // namespace tc::importers
