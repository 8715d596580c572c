// SPDX-License-Identifier: Apache-2.0
#include "launch_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/launch_constants.hpp>
#include <tc/execution/module_symbols.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/launches/launch.hpp>
#include <tc/trace/confined_path.hpp>
#include <tc/trace/header_parser.hpp>
#include <tc/trace/text_cursor.hpp>

#include "exit_status.hpp"

namespace tcsim {

namespace {

namespace fs = std::filesystem;
using tc::isa::architecture;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// "grid 4 2 1" of "4,2".
std::string extents_line(const char* keyword, const std::string& extents) {
  std::vector<std::string> parts = split(extents, ',');
  parts.resize(std::max<std::size_t>(parts.size(), 3), "1");
  return fmt::format("{} {}", keyword, fmt::join(parts, " "));
}

/// Digits in the order of the bytes of memory.
std::string hex_bytes(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) fmt::format_to(std::back_inserter(text), "{:02x}", value >> (8 * i) & 0xff);
  return text;
}

/// A number, decimal or hexadecimal after 0x.
std::uint64_t number_of(std::string_view text, const std::string& option, const std::string& what, std::uint64_t most) {
  const std::string file = option, line(text);
  tc::trace::text_cursor in({file, 1, line});
  const std::uint64_t value = in.number(what, 0, most);
  in.expect_end("a number");
  return value;
}

/// Arguments lie behind each other in a constant bank, each at a multiple of its size (CUDA C++ Programming Guide, driver API).
std::string arguments_line(const std::string& arguments, architecture arch) {
  constexpr std::uint64_t pointer_bytes = 8;
  std::string bytes;
  for (const std::string& argument : split(arguments, ',')) {
    const std::size_t colon = argument.find(':');
    const std::uint64_t size =
        colon == std::string::npos ? pointer_bytes : number_of(argument.substr(colon + 1), "--arguments", "the size of an argument", 8);
    if (size == 0 || (size & (size - 1)) != 0) throw usage_error(fmt::format("--arguments: '{}' must have 1, 2, 4 or 8 bytes", argument));
    const std::uint64_t most = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
    const std::uint64_t value = number_of(argument.substr(0, colon), "--arguments", "an argument", most);
    while (bytes.size() / 2 % size != 0) bytes += "00";
    bytes += hex_bytes(value, static_cast<unsigned>(size));
  }
  return fmt::format("constant 0 {:#x} {} hex {}", tc::isa::info(arch).parameter_offset, bytes.size() / 2, bytes);
}

/// The first image of a bank that has some of its bytes from `begin` to `end`; null if there is none.
const tc::trace::constant_image* first_image(const std::vector<tc::trace::constant_image>& images, unsigned bank, std::uint64_t begin,
                                             std::uint64_t end) {
  const tc::trace::constant_image* first = nullptr;
  for (const tc::trace::constant_image& each : images) {
    const bool is_there = each.bank == bank && each.offset < end && begin < each.offset + each.content.bytes();
    if (is_there && (first == nullptr || each.offset < first->offset)) first = &each;
  }
  return first;
}

void add_constant(tc::importers::kernel_launch& launch, unsigned bank, std::uint64_t offset, std::vector<std::uint8_t> bytes) {
  std::string digits;
  for (const std::uint8_t byte : bytes) digits += hex_bytes(byte, 1);
  launch.content_lines.push_back(fmt::format("constant {} {:#x} {} hex {}", bank, offset, bytes.size(), digits));
  launch.header.constants.push_back({bank, offset, tc::trace::memory_content::literal(std::move(bytes))});
}

/// Words of constant bank 0, unless something else is said about them.
void add_words(tc::importers::kernel_launch& launch, std::uint32_t offset, const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words)
    for (unsigned i = 0; i < sizeof word; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
  if (first_image(launch.header.constants, 0, offset, offset + bytes.size()) == nullptr) add_constant(launch, 0, offset, std::move(bytes));
}

/// Compiled code reads the extents of block and grid from constant bank 0, each architecture from its own place.
void add_extents(tc::importers::kernel_launch& launch) {
  const tc::isa::architecture_info& arch = tc::isa::info(launch.header.arch);
  const auto words_of = [](const tc::trace::dim3& extents) { return std::vector<std::uint32_t>{extents.x, extents.y, extents.z}; };
  std::vector<std::uint32_t> block = words_of(launch.header.block);
  const std::vector<std::uint32_t> grid = words_of(launch.header.grid);
  if (arch.grid_extents_offset == arch.block_extents_offset + block.size() * sizeof block[0]) {
    block.insert(block.end(), grid.begin(), grid.end());
    return add_words(launch, arch.block_extents_offset, block);
  }
  add_words(launch, arch.block_extents_offset, block);
  add_words(launch, arch.grid_extents_offset, grid);
}

/// What the listing has of a constant bank, but the bytes of which the command line says something else.
void add_listed(tc::importers::kernel_launch& launch, const tc::listings::listed_constants& listed) {
  const tc::listings::listed_bytes& content = listed.content;
  const std::vector<tc::trace::constant_image> given = launch.header.constants;
  const std::uint64_t end = content.offset + content.bytes.size();
  for (std::uint64_t begin = content.offset; begin < end;) {
    const tc::trace::constant_image* const next = first_image(given, listed.bank, begin, end);
    const std::uint64_t stop = next == nullptr ? end : std::max(begin, next->offset);
    const auto first = content.bytes.begin() + static_cast<std::ptrdiff_t>(begin - content.offset);
    if (stop != begin) add_constant(launch, listed.bank, begin, {first, first + static_cast<std::ptrdiff_t>(stop - begin)});
    begin = next == nullptr ? end : next->offset + next->content.bytes();
  }
}

/// What a module has at an address: what is behind its content is zero.
void add_variable(tc::importers::kernel_launch& launch, std::uint64_t base, const tc::listings::listed_variable& variable) {
  using tc::trace::memory_content;
  constexpr std::uint64_t number_bytes = 8;  // digits end with a whole number
  const auto last = std::find_if(variable.content.rbegin(), variable.content.rend(), [](std::uint8_t byte) { return byte != 0; });
  const auto used = static_cast<std::uint64_t>(variable.content.rend() - last);
  const std::uint64_t given = std::min<std::uint64_t>((used + number_bytes - 1) / number_bytes * number_bytes, variable.content.size()),
                      zeros = variable.bytes - given;
  if (given != 0) {
    std::vector<std::uint8_t> bytes(variable.content.begin(), variable.content.begin() + static_cast<std::ptrdiff_t>(given));
    std::string digits;
    for (const std::uint8_t byte : bytes) digits += hex_bytes(byte, 1);
    launch.content_lines.push_back(fmt::format("memory {:#x} {} hex {}", base, given, digits));
    launch.header.memory.push_back({base, memory_content::literal(std::move(bytes))});
  }
  if (zeros == 0) return;
  launch.content_lines.push_back(fmt::format("memory {:#x} {} zero", base + given, zeros));
  launch.header.memory.push_back({base + given, memory_content::filled(zeros, 0)});
}

/// The addresses of symbols that code finds in constant banks, unless the command line says something else there, and the variables of the
/// module that they name. These lie behind all memory of the launch.
void add_module(tc::importers::kernel_launch& launch, const tc::listings::sass_kernel& kernel) {
  tc::launches::launch of_module;
  of_module.kernel = kernel.name;
  for (const tc::trace::memory_image& image : launch.header.memory) {
    tc::launches::launch_allocation allocation;
    allocation.base = image.base;
    allocation.bytes = image.content.bytes();
    of_module.allocations.push_back(allocation);
  }
  std::sort(of_module.allocations.begin(), of_module.allocations.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
  const tc::execution::module_symbols symbols(of_module, kernel);
  std::vector<std::uint64_t> named;
  for (const tc::listings::listed_reference& reference : kernel.references) {
    const std::uint64_t begin = reference.symbol.offset, end = begin + reference.symbol.bytes;
    const auto address = symbols.address_of(reference.symbol.text);
    if (!address || first_image(launch.header.constants, reference.bank, begin, end) != nullptr) continue;
    std::vector<std::uint8_t> bytes;
    for (unsigned i = 0; i < reference.symbol.bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(*address >> 8 * i));
    add_constant(launch, reference.bank, begin, std::move(bytes));
    named.push_back(*address);
  }
  for (const auto& [base, variable] : symbols.placed()) {
    const auto is_inside = [first = base, end = base + variable->bytes](std::uint64_t address) {
      return address >= first && address < end;
    };
    if (std::any_of(named.begin(), named.end(), is_inside)) add_variable(launch, base, *variable);
  }
}

/// Code that uses local memory finds the top of its stack in constant bank 0.
void add_stack(tc::importers::kernel_launch& launch, const tc::listings::sass_kernel& kernel) {
  const auto is_local = [](const tc::listings::listed_instruction& each) {
    return each.text.find("LDL") != std::string::npos || each.text.find("STL") != std::string::npos;
  };
  if (std::any_of(kernel.code.begin(), kernel.code.end(), is_local))
    add_words(launch, tc::execution::stack_constant_offset(kernel.arch), {tc::execution::stack_top});
}

/// A header's line whose image file, if it has one, is named from the folder of `trace`.
std::string with_file_from(const fs::path& trace, const std::string& line) {
  constexpr std::string_view keyword = " file ";
  const std::size_t at = line.find(keyword);
  if (at == std::string::npos) return line;
  const std::size_t path = line.find_first_not_of(' ', at + keyword.size());
  const fs::path target = fs::absolute(line.substr(path)).lexically_normal();
  const fs::path folder = fs::absolute(trace).lexically_normal().parent_path(), named = target.lexically_proximate(folder);
  if (tc::trace::leaves_folder(named))
    throw usage_error(
        fmt::format("'{}': the file lies outside of {}, where the trace is to be written; a trace and its image files must be in "
                    "one folder, or the images in folders in it",
                    line, folder.string()));
  return line.substr(0, path) + named.string();
}

/// The header of a launch, line by line as a trace has it.
class launch_maker {
 public:
  explicit launch_maker(const fs::path& trace) : trace_(trace), header_(fs::path()) { header_.allow_files_anywhere(); }

  void add(const std::string& option, const std::string& text) {
    const std::string name = fmt::format("{}, in the words of a trace '{}'", option, text);
    last_ = {name, text};
    tc::trace::text_cursor in({last_.name, 1, last_.text});
    header_.read(in);
  }

  /// A line about constants or memory.
  void add_content(const std::string& option, const std::string& text) {
    add(option, text);
    launch_.content_lines.push_back(with_file_from(trace_, text));
  }

  tc::importers::kernel_launch finish() {
    launch_.header = header_.finish(tc::trace::text_cursor({last_.name, 1, last_.text}));
    return std::move(launch_);
  }

 private:
  struct option_line {
    std::string name, text;
  };

  fs::path trace_;
  tc::trace::header_parser header_;
  option_line last_;
  tc::importers::kernel_launch launch_;
};

/// The pc in "00a0=0x1000+4".
std::uint32_t pc_of(const std::string& option, std::size_t end) {
  std::string_view digits = std::string_view(option).substr(0, end);
  if (digits.rfind("0x", 0) == 0) digits.remove_prefix(2);
  std::uint32_t pc = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pc, 16);
  if (end == std::string::npos || digits.empty() || error != std::errc() || stop != digits.data() + digits.size())
    throw usage_error(fmt::format("--address: '{}' must be PC=ADDRESSES, as 00a0=0x10000+4 with the pc of the listing", option));
  return pc;
}

}  // namespace

void add_launch_options(const cli_command& command, launch_options& options) {
  const auto many = [&](const char* name, std::vector<std::string>& values, const char* meaning, const char* form) {
    command.add_option(name, values, meaning).type_name(form).repeatable();
  };
  command.add_option("--grid", options.grid, "CTAs of the grid").capture_default_str().type_name("X[,Y[,Z]]");
  command.add_option("--block", options.block, "Threads of a CTA").capture_default_str().type_name("X[,Y[,Z]]");
  command
      .add_option("--shared", options.shared,
                  "Shared memory of a CTA, with what the system reserves there; default: what the listing says, or else 0")
      .type_name("BYTES");
  command.add_option("--registers", options.registers, "Registers of a thread; default: what the listing says, or else 255").type_name("N");
  command.add_option("--arguments", options.arguments, "The kernel's arguments in their order, each of 8 bytes unless it says how many")
      .type_name("VALUE[:BYTES],...");
  many("--constant", options.constants, "Content of a constant bank, as in a trace: \"0 0x28 4 hex c0fdff00\"; may be repeated",
       "\"BANK OFFSET BYTES CONTENT\"");
  many("--memory", options.memory, "Content of global memory: \"0x10000 512 file a.bin\", or zero, fill BYTE, hex DIGITS; may be repeated",
       "\"BASE BYTES CONTENT\"");
  many("--expect", options.expectations, "What global memory must hold in the end, in the same words; may be repeated",
       "\"BASE BYTES CONTENT\"");
  many("--address", options.addresses,
       "Addresses of the instruction at a pc, for all who execute it, instead of computed ones: BASE+STRIDE, BASE, or {A, B, ...}; may be "
       "repeated",
       "PC=ADDRESSES");
  command.add_option("--max-instructions", options.max_instructions, "Instructions that a warp may execute before it must end")
      .capture_default_str()
      .type_name("N");
}

tc::importers::kernel_launch make_launch(const launch_options& options, const tc::listings::sass_kernel& kernel, const fs::path& trace) {
  launch_maker maker(trace);
  maker.add(kernel.file, fmt::format("arch {}", tc::isa::name(kernel.arch)));
  maker.add(kernel.file, "kernel " + kernel.name);
  maker.add("--grid", extents_line("grid", options.grid));
  maker.add("--block", extents_line("block", options.block));
  if (!options.registers.empty())
    maker.add("--registers", "registers " + options.registers);
  else if (kernel.registers)
    maker.add(kernel.file, fmt::format("registers {}", *kernel.registers));
  if (!options.shared.empty())
    maker.add("--shared", "shared " + options.shared);
  else
    maker.add(kernel.file, fmt::format("shared {}", kernel.shared_bytes.value_or(0)));
  if (!options.arguments.empty()) maker.add_content("--arguments", arguments_line(options.arguments, kernel.arch));
  for (const auto& text : options.constants) maker.add_content("--constant", "constant " + text);
  for (const auto& text : options.memory) maker.add_content("--memory", "memory " + text);
  for (const auto& text : options.expectations) maker.add_content("--expect", "expect " + text);
  auto launch = maker.finish();
  add_extents(launch);
  add_stack(launch, kernel);
  for (const tc::listings::listed_constants& each : kernel.constants) add_listed(launch, each);
  add_module(launch, kernel);
  for (const auto& text : options.addresses) {
    const std::size_t equal = text.find('=');
    launch.addresses[pc_of(text, equal)] = text.substr(equal + 1);
  }
  launch.max_instructions = options.max_instructions;
  return launch;
}

}  // namespace tcsim
