// SPDX-License-Identifier: Apache-2.0
#include "accelsim_header.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/utf8.hpp>
#include <tc/trace/limits.hpp>

namespace tc::importers {

using trace::text_cursor;

/// One kind of header line.
struct accelsim_header_reader::row {
  std::string_view name, form;
  void (accelsim_header_reader::*read)(text_cursor&);
  bool required = false;
};

const std::array<accelsim_header_reader::row, accelsim_header_reader::row_count> accelsim_header_reader::rows{{
    {"kernel name", "-kernel name = NAME", &accelsim_header_reader::read_name, true},
    {"kernel id", "-kernel id = N", &accelsim_header_reader::skip},
    {"grid dim", "-grid dim = (X,Y,Z)", &accelsim_header_reader::read_grid, true},
    {"block dim", "-block dim = (X,Y,Z)", &accelsim_header_reader::read_block, true},
    {"shmem", "-shmem = BYTES", &accelsim_header_reader::read_shared},
    {"nregs", "-nregs = COUNT", &accelsim_header_reader::read_registers},
    {"binary version", "-binary version = 75", &accelsim_header_reader::read_binary_version, true},
    {"cuda stream id", "-cuda stream id = N", &accelsim_header_reader::skip},
    {"shmem base_addr", "-shmem base_addr = 0xADDRESS", &accelsim_header_reader::read_shared_base},
    {"local mem base_addr", "-local mem base_addr = 0xADDRESS", &accelsim_header_reader::skip},
    {"nvbit version", "-nvbit version = VERSION", &accelsim_header_reader::skip},
    {"accelsim tracer version", "-accelsim tracer version = 6", &accelsim_header_reader::read_tracer_version, true},
    {"enable lineinfo", "-enable lineinfo = 0", &accelsim_header_reader::read_line_numbers},
}};

namespace {

trace::dim3 read_extents(text_cursor& in, std::string_view what, std::uint64_t most_x, std::uint64_t most_y, std::uint64_t most_z) {
  constexpr std::string_view form = "(X,Y,Z)";
  trace::dim3 extents;
  in.expect("(", form);
  extents.x = static_cast<std::uint32_t>(in.number(fmt::format("{} x", what), 1, most_x));
  in.expect(",", form);
  extents.y = static_cast<std::uint32_t>(in.number(fmt::format("{} y", what), 1, most_y));
  in.expect(",", form);
  extents.z = static_cast<std::uint32_t>(in.number(fmt::format("{} z", what), 1, most_z));
  in.expect(")", form);
  return extents;
}

}  // namespace

void accelsim_header_reader::read(text_cursor& in) {
  in.expect("-", "-NAME = VALUE");
  in.at_end();
  const std::size_t begin = in.position();
  const std::size_t equals = in.line().text.find('=', begin);
  if (equals == std::string_view::npos) in.fail("a line of the header has the form '-NAME = VALUE'; '=' is missing");
  std::string_view name = in.line().text.substr(begin, equals - begin);
  name.remove_suffix(name.size() - 1 - std::min(name.size() - 1, name.find_last_not_of(" \t")));
  in.skip_to(equals + 1);

  const auto* const found = std::find_if(rows.begin(), rows.end(), [&](const row& each) { return each.name == name; });
  if (found == rows.end()) return report_.add_gap(fmt::format("the header line '-{}'", name), "nothing", in.line().file, in.line().number);
  const auto index = static_cast<std::size_t>(found - rows.begin());
  if (seen_[index]) in.fail_at(begin, fmt::format("'-{}' is given twice", name));
  seen_.set(index);
  (this->*found->read)(in);
  in.expect_end(fmt::format("'{}'", found->form));
}

accelsim_header accelsim_header_reader::finish(const text_cursor& where) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool replaced = arch_ && rows[i].read == &accelsim_header_reader::read_binary_version;
    if (rows[i].required && !seen_[i] && !replaced)
      where.fail_at(0, fmt::format("the header ends without '-{}'; it must hold a line '{}'", rows[i].name, rows[i].form));
  }
  if (arch_) header_.kernel.arch = *arch_;
  header_.kernel.has_data = false;
  // What the tracer records is what the kernel asks for; the system's part comes in addition.
  const std::uint64_t reserved = isa::info(header_.kernel.arch).reserved_shared_bytes;
  header_.kernel.shared_bytes = std::min(header_.kernel.shared_bytes + reserved, trace::shared_window_bytes);
  return header_;
}

void accelsim_header_reader::read_name(text_cursor& in) {
  if (in.at_end()) in.fail("the kernel's name is missing");
  const std::size_t begin = in.position();
  header_.kernel.kernel = in.rest();
  const std::size_t bad = isa::find_unprintable(header_.kernel.kernel);
  if (bad != header_.kernel.kernel.size()) in.fail_at(begin + bad, "the kernel's name must be printable UTF-8");
}

void accelsim_header_reader::read_grid(text_cursor& in) {
  header_.kernel.grid = read_extents(in, "grid", trace::max_grid_x, trace::max_grid_yz, trace::max_grid_yz);
}

void accelsim_header_reader::read_block(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  header_.kernel.block = read_extents(in, "block", trace::max_block_threads, trace::max_block_threads, trace::max_block_z);
  const std::uint64_t threads = header_.kernel.block.count();
  if (threads > trace::max_block_threads)
    in.fail_at(begin, fmt::format("the block has {} threads; it must have 1 to {}", threads, trace::max_block_threads));
}

void accelsim_header_reader::read_shared(text_cursor& in) {
  header_.kernel.shared_bytes = in.number("the size of shared memory", 0, trace::shared_window_bytes);
}

void accelsim_header_reader::read_registers(text_cursor& in) {
  header_.kernel.registers = static_cast<unsigned>(in.number("the number of registers", 1, trace::kernel_header::max_registers));
}

void accelsim_header_reader::read_binary_version(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  const std::string_view digits = in.word();
  const auto arch = isa::find_architecture(fmt::format("sm_{}", digits));
  if (arch) header_.kernel.arch = *arch;
  if (!arch && !arch_)
    in.fail_at(begin, fmt::format("the binary version {} is not one of {}; say which of these to take (--arch)", digits,
                                  isa::architecture_names()));
}

void accelsim_header_reader::read_shared_base(text_cursor& in) {
  header_.shared_base = in.number("the base of shared memory", 0, ~std::uint64_t{0});
}

void accelsim_header_reader::read_tracer_version(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  const std::uint64_t version = in.number("the tracer's version", 0, ~std::uint64_t{0});
  if (version < accelsim_header::oldest_version || version > accelsim_header::newest_version)
    in.fail_at(begin, fmt::format("traces of version {} are not read; it must be from {} to {}", version, accelsim_header::oldest_version,
                                  accelsim_header::newest_version));
  header_.version = static_cast<unsigned>(version);
}

void accelsim_header_reader::read_line_numbers(text_cursor& in) {
  header_.has_line_numbers = in.number("whether lines have line numbers", 0, 1) == 1;
}

void accelsim_header_reader::skip(text_cursor& in) { in.rest(); }

}  // namespace tc::importers
