// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/register_mma.hpp>
#include <tc/trace/kernel_header.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "layout_formats.hpp"
#include "named_trace.hpp"
#include "options.hpp"

namespace tcsim {

namespace {

using tc::isa::architecture;
using tc::isa::fragment;
using tc::isa::register_mma;

struct layout_options {
  std::string operation;
  std::string arch;
  std::string config;
  std::string trace;
  std::string operand;
  std::string format = "text";
  std::string output;
  bool list = false;
};

architecture architecture_named(const std::string& text) {
  if (const auto arch = tc::isa::find_architecture(text)) return *arch;
  throw usage_error(fmt::format("--arch: there is no architecture \"{}\"; there are {}", text, tc::isa::architecture_names()));
}

/// The architecture that the options name, directly or by the first one of a configuration.
std::optional<architecture> chosen_architecture(const layout_options& options) {
  if (!options.arch.empty()) return architecture_named(options.arch);
  if (options.config.empty()) return std::nullopt;
  const auto architectures = load_configuration(options.config, {}).architectures;
  if (architectures.empty()) throw usage_error(fmt::format("{}: the configuration lists no architecture; give --arch", options.config));
  return architecture_named(architectures.front());
}

struct found_operation {
  register_mma operation;
  architecture arch;
};

/// The operation on the chosen architecture, else on the newest one that has it. `shapes` may declare more.
found_operation find_operation(const std::string& text, std::optional<architecture> chosen, const tc::isa::matrix_shape_table& shapes) {
  constexpr tc::isa::architecture_range all{};
  std::string message;
  for (int each = static_cast<int>(chosen.value_or(all.last)); each >= static_cast<int>(chosen.value_or(all.first)); --each) {
    const auto arch = static_cast<architecture>(each);
    try {
      return {tc::isa::parse_register_mma(text, arch, 1, shapes), arch};
    } catch (const tc::isa::syntax_error& error) {
      // Of a misspelt operation all architectures say the same.
      if (message.empty()) message = fmt::format("{}: column {}: {}", text, error.column(), error.what());
    }
  }
  throw usage_error(message);
}

std::optional<fragment> chosen_operand(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return static_cast<fragment>(text.front() - 'a');
}

/// What the trace that the options name says before its first instruction; nothing if they name none.
std::optional<tc::trace::kernel_header> header_of_trace(const layout_options& options) {
  if (options.trace.empty()) return std::nullopt;
  return open_named_trace(options.trace).header();
}

found_operation operation_of(const layout_options& options) {
  if (const auto header = header_of_trace(options)) return find_operation(options.operation, header->arch, header->matrix_shapes);
  return find_operation(options.operation, chosen_architecture(options), tc::isa::matrix_shape_table::hardware());
}

std::string content_of(const layout_options& options) {
  const auto [operation, arch] = operation_of(options);
  const auto operand = chosen_operand(options.operand);
  const auto arch_name = tc::isa::name(arch);
  if (operation.inferred)
    std::cerr << "note: the layout of " << operation.name << " on " << arch_name
              << " is inferred from those of related operations: it has been neither published nor recorded\n";
  if (options.format == "json") return layout_json(operation, arch_name, operand);
  if (options.format == "svg") return layout_svg(operation, arch_name, operand);
  return layout_text(operation, arch_name, operand);
}

std::string list_of(const layout_options& options) {
  if (const auto header = header_of_trace(options)) return fmt::format("{}\n", fmt::join(header->matrix_shapes.declared(), "\n"));
  if (const auto arch = chosen_architecture(options)) return fmt::format("{}\n", fmt::join(tc::isa::register_mma_names(*arch), "\n"));
  std::set<std::string> names;
  constexpr tc::isa::architecture_range all{};
  for (int each = static_cast<int>(all.first); each <= static_cast<int>(all.last); ++each)
    for (const std::string& name : tc::isa::register_mma_names(static_cast<architecture>(each))) names.insert(name);
  return fmt::format("{}\n", fmt::join(names, "\n"));
}

void run(const layout_options& options) {
  if (options.operation.empty() && !options.list)
    throw usage_error("which operation? For example mma.sync.m16n8k16.f32.f16.f16.f32; --list names them");
  const std::string content = options.list ? list_of(options) : content_of(options);
  if (options.output.empty())
    std::cout << content;
  else
    write_atomically(options.output, content);
}

constexpr auto operations =
    "OPERATION is one of\n"
    "  mma.sync   in full, or short with the types of D, A, B and C; without orders it is .row.col\n"
    "             mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32   m16n8k16.f32.f16.f16.f32\n"
    "  wmma       in full, or short with the types of A and of D\n"
    "             wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32     wmma.m16n16k16.f16.f32\n"
    "  hardware   a mnemonic, or an instruction with its operands\n"
    "             HMMA.16816.F32   \"HMMA.884.F32.F32.STEP2 R12, R2.ROW, R4.COL, R12\"\n";

constexpr auto formats =
    "Formats: text prints each matrix with lane:register.element in place of the element. json has, for each operand, `lanes` "
    "([row, column] by lane and element), `holders` ([lane, register, element of the register] by matrix, row and column) "
    "and the counts. svg draws A left of C and D, B above them, a colour for each threadgroup (lane / 4).\n";

}  // namespace

void add_layout_command(const cli_command& app, exit_status& status) {
  const auto layout = app.add_subcommand("layout", "Show which lane and register holds which element of the matrices of an operation");
  const auto options = std::make_shared<layout_options>();
  layout.add_option("OPERATION", options->operation, "The operation, see below").type_name("");
  const auto arch =
      layout
          .add_option("--arch", options->arch,
                      fmt::format("Its architecture: {}; without, the newest that has the operation", tc::isa::architecture_names()))
          .type_name("ARCH");
  const auto config = layout
                          .add_option("--config", options->config,
                                      "Take the first architecture of a configuration: a JSON file, or the name of a built-in one")
                          .type_name("FILE")
                          .excludes(arch);
  layout
      .add_option("--trace", options->trace,
                  "Take the architecture of a trace, which may declare matrix shapes of its own; --list prints the mnemonics of those")
      .type_name("FILE")
      .excludes(arch)
      .excludes(config);
  layout.add_option("--operand", options->operand, "Show one operand alone: a, b, c or d")
      .type_name("OPERAND")
      .one_of({"a", "b", "c", "d"});
  layout.add_option("--format", options->format, "text, json or svg; text by default").type_name("FORMAT").one_of({"text", "json", "svg"});
  add_out_option(layout, options->output, "Write to this file, not to stdout");
  layout.add_flag("--list", options->list, "Print the names of the PTX operations of the architecture, or of all");
  layout.footer(fmt::format("{}\n{}\n{}\n\nExample: tcsim layout mma.sync.m16n8k16.f32.f16.f16.f32 --arch sm_80 --format svg -o layout.svg",
                            operations, formats, built_in_configurations()));
  layout.callback([options, &status] {
    run(*options);
    status = exit_status::done;
  });
}

}  // namespace tcsim
