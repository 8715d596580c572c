// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/kernels/wmma_expander.hpp>
#include <tc/packed/trace_packer.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "data_folder.hpp"
#include "input_files.hpp"
#include "named_trace.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace fs = std::filesystem;

template <class Image>
std::uint64_t bytes_of(const std::vector<Image>& images) {
  std::uint64_t bytes = 0;
  for (const auto& image : images) bytes += image.content.bytes();
  return bytes;
}

std::string extents(const tc::trace::dim3& size) { return fmt::format("{} x {} x {}", size.x, size.y, size.z); }

/// The opcodes that a kernel executes most, with their counts.
std::string frequent_opcodes(const tc::trace::trace_summary& summary) {
  constexpr std::size_t shown = 6;
  std::vector<std::pair<std::string, std::uint64_t>> opcodes(summary.opcodes.begin(), summary.opcodes.end());
  std::stable_sort(opcodes.begin(), opcodes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, opcodes.size()); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", opcodes[i].second, opcodes[i].first);
  return text + (opcodes.size() > shown ? ", ..." : "");
}

void print_summary(const std::string& file) {
  const auto trace = open_named_trace(file);
  trace.verify_whole(progress_listener("checking " + fs::path(file).filename().string()));
  const auto& header = trace.header();
  const auto summary = trace.summary();
  text_table table({text_table::align::left, text_table::align::left});
  table.add({"kernel", fmt::format("{} for {}", summary.kernel, tc::isa::name(header.arch))});
  table.add({"grid", fmt::format("{} CTAs of {} threads", extents(header.grid), extents(header.block))});
  table.add(
      {"in the trace", fmt::format("{} of {}, {}", summary.ctas, counted(header.grid.count(), "CTA"), counted(summary.warps, "warp"))});
  table.add({"per CTA", fmt::format("{} registers a thread, {} bytes of shared memory", header.registers, header.shared_bytes)});
  table.add({"instructions", fmt::format("{} executed, {} different", summary.instructions, summary.distinct_instructions)});
  table.add({"most frequent", frequent_opcodes(summary)});
  const auto data = fmt::format("{} bytes given, {} bytes compared at the end", bytes_of(header.memory), bytes_of(header.expectations));
  table.add({"memory", header.has_data ? data : "no data: runs count cycles and compute nothing"});
  std::cout << file << ": ok\n" << table.text(2);
}

void pack(const fs::path& source, const fs::path& output) {
  tc::trace::open_options options;
  options.progress = progress_listener("packing " + source.filename().string());
  write_atomically(output, [&](std::ostream& file) { tc::kernels::pack_trace(find_trace(source), output.parent_path(), file, options); });
}

void unpack(const fs::path& source, const fs::path& output) {
  tc::trace::open_options options;
  options.progress = progress_listener("unpacking " + source.filename().string());
  write_atomically(output, [&](std::ostream& file) {
    tc::study::write_compressed(file, tc::study::compression_of(output),
                                [&](std::ostream& text) { tc::packed::unpack_trace(source, output.parent_path(), text, options); });
  });
}

struct conversion {
  const char *name, *description, *source, *example;
  void (*convert)(const fs::path& source, const fs::path& output);
};

constexpr std::array<conversion, 2> conversions{{
    {"pack", "Make a packed trace: the same in a tenth of the bytes and of the time to read, or less", "The trace: text, .xz or .gz",
     "Example: tcsim trace pack kernel.trace.xz -o kernel.tct", pack},
    {"unpack", "Make the text of a packed trace, as it was", "The packed trace",
     "A name that ends in .xz or .gz asks for a compressed file.\n\nExample: tcsim trace unpack kernel.tct -o kernel.trace", unpack},
}};

void add_conversion(const cli_command& trace, const conversion& kind, exit_status& status) {
  const auto command = trace.add_subcommand(kind.name, kind.description);
  const auto files = std::make_shared<std::pair<std::string, std::string>>();
  command.add_option("TRACE", files->first, kind.source).required().type_name("");
  add_out_option(command, files->second, "The file to write, whole or not at all").required();
  command.footer(kind.example);
  command.callback([files, &kind, &status] {
    note_input(find_trace(files->first));
    check_writable(files->second);
    kind.convert(files->first, files->second);
    status = exit_status::done;
  });
}

/// Every file is checked, also after one that is wrong.
exit_status check(const std::vector<std::string>& files) {
  exit_status status = exit_status::done;
  for (const auto& file : files) {
    try {
      print_summary(file);
    } catch (const tc::trace::trace_error& error) {
      std::cerr << "tcsim: " << error.what() << '\n';
      status = exit_status::bad_input;
    }
  }
  return status;
}

}  // namespace

void add_trace_command(const cli_command& app, exit_status& status) {
  const auto trace = app.add_subcommand("trace", "Look at warp traces without running them, pack and unpack them");
  trace.ask_for_subcommand();
  trace.footer("Example: tcsim trace check kernel.trace");

  const auto check_command =
      trace.add_subcommand("check", "Check syntax, operands and legality of traces, and say what is in them (exit status 0 or 2)");
  const auto files = std::make_shared<std::vector<std::string>>();
  check_command.add_option("TRACE", *files, "Trace files (text, .xz, .gz or packed), names of examples, or - for stdin")
      .required()
      .type_name("");
  check_command.footer("Example: tcsim trace check traces/sm_75.tiled_f16_f32/kernel.trace");
  check_command.callback([files, &status] { status = check(*files); });

  for (const conversion& kind : conversions) add_conversion(trace, kind, status);
}

}  // namespace tcsim
