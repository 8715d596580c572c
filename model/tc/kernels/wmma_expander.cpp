// SPDX-License-Identifier: Apache-2.0
#include "wmma_expander.hpp"

#include <tc/isa/source_text.hpp>
#include <tc/kernels/machine_writer.hpp>
#include <tc/kernels/wmma_instruction.hpp>
#include <tc/kernels/wmma_multiply.hpp>
#include <tc/kernels/wmma_transfer.hpp>
#include <tc/packed/trace_packer.hpp>

namespace tc::kernels {
namespace {

/// Expansion looks nothing up in a table that could change, so one for all traces will do.
trace::open_options with_expander(trace::open_options options) {
  static const wmma_expander expander;
  options.expander = &expander;
  return options;
}

}  // namespace

bool wmma_expander::takes(std::string_view opcode) const { return is_wmma_opcode(opcode); }

trace::expansion wmma_expander::expand(std::string_view code, const trace::kernel_header& header) const {
  const wmma_instruction instruction = parse_wmma(code, header);
  machine_writer out(instruction, header);
  switch (instruction.action) {
    case wmma_action::load:
      write_wmma_load(instruction, out);
      break;
    case wmma_action::store:
      write_wmma_store(instruction, out);
      break;
    case wmma_action::multiply:
      write_wmma_multiply(instruction, out);
      break;
  }
  return out.finish();
}

trace::trace open_trace(const std::filesystem::path& path, const trace::open_options& options) {
  return trace::trace::open(path, with_expander(options));
}

trace::trace read_trace(std::istream& text, const std::string& name, const trace::open_options& options) {
  return trace::trace::read(text, name, with_expander(options));
}

void pack_trace(const std::filesystem::path& text, const std::filesystem::path& target, std::ostream& out,
                const trace::open_options& options) {
  packed::pack_trace(text, target, out, with_expander(options));
}

}  // namespace tc::kernels
