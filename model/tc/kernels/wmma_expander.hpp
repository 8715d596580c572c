// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include <tc/trace/instruction_expander.hpp>
#include <tc/trace/trace.hpp>

namespace tc::kernels {

/// Makes machine instructions of the WMMA instructions of PTX, which the architecture of the trace decides.
class wmma_expander final : public trace::instruction_expander {
 public:
  bool takes(std::string_view opcode) const override;
  trace::expansion expand(std::string_view code, const trace::kernel_header& header) const override;
};

/// Opens a trace that may hold WMMA instructions of PTX; otherwise as trace::open and trace::read.
trace::trace open_trace(const std::filesystem::path& path, const trace::open_options& options = {});
trace::trace read_trace(std::istream& text, const std::string& name, const trace::open_options& options = {});

/// Packs a trace that may hold WMMA instructions of PTX; otherwise as packed::pack_trace.
void pack_trace(const std::filesystem::path& text, const std::filesystem::path& target, std::ostream& out,
                const trace::open_options& options = {});

}  // namespace tc::kernels
