// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <tc/importers/import_report.hpp>
#include <tc/importers/kernel_launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::importers {

/// Writes the trace of a launch of a kernel, all CTAs and warps of its grid, with the control codes of its machine code. What cannot be
/// imported is in the report: opcodes without a form in a trace, if a warp comes to one (then what is written is no trace), and masks and
/// addresses that cannot be computed from thread numbers and constants (then the trace lacks their instructions). Throws trace::trace_error
/// for what stands in the way of all else, as warp_execution does, for registers that the kernel of the launch does not have, and for given
/// addresses of a pc where nothing accesses memory.
import_report import_nvdisasm(const listings::sass_kernel& kernel, const kernel_launch& launch, std::ostream& trace);

}  // namespace tc::importers
