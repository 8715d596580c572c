// SPDX-License-Identifier: Apache-2.0
#include "header_parser.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/mnemonic.hpp>
#include <tc/isa/utf8.hpp>
#include <tc/trace/confined_path.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/matrix_shape_parser.hpp>
#include <tc/trace/tensor_map_parser.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::trace {

/// One kind of header line.
struct header_parser::directive {
  std::string_view name, form;
  void (header_parser::*read)(text_cursor&);
  bool required = false;
  std::uint64_t size_limits::*most = nullptr;  ///< lines of it; null: one
};

const std::array<header_parser::directive, header_parser::directive_count> header_parser::directives{{
    {"arch", "arch sm_75", &header_parser::read_arch, true},
    {"kernel", "kernel NAME", &header_parser::read_kernel, true},
    {"grid", "grid X Y Z", &header_parser::read_grid, true},
    {"block", "block X Y Z", &header_parser::read_block, true},
    {"cluster", "cluster X Y Z", &header_parser::read_cluster},
    {"registers", "registers COUNT", &header_parser::read_registers},
    {"shared", "shared BYTES", &header_parser::read_shared},
    {"data", "data none", &header_parser::read_data},
    {"constant", "constant BANK OFFSET BYTES CONTENT", &header_parser::read_constant, false, &size_limits::ranges},
    {"memory", "memory BASE BYTES CONTENT", &header_parser::read_memory, false, &size_limits::ranges},
    {"shared-memory", "shared-memory BASE BYTES CONTENT", &header_parser::read_shared_memory, false, &size_limits::ranges},
    {"expect", "expect BASE BYTES CONTENT", &header_parser::read_expect, false, &size_limits::expectations},
    {"tensor-map", "tensor-map ADDRESS tiled|im2col TYPE KEYWORD VALUES ...", &header_parser::read_tensor_map, false,
     &size_limits::tensor_maps},
    {"matrix-shape", matrix_shape_form, &header_parser::read_matrix_shape, false, &size_limits::matrix_shapes},
}};

namespace {

/// Of a CUtensorMap (CUDA driver API).
constexpr std::uint64_t tensor_map_alignment = 64;

/// A trace from elsewhere must not read any file that its reader may.
constexpr std::string_view outside = "lies outside of the trace's folder; image files are in it, or in folders in it";

constexpr std::string_view content_forms = "'file PATH', 'zero', 'fill BYTE' or 'hex DIGITS'";

dim3 read_extents(text_cursor& in, std::string_view what, std::uint64_t most_x, std::uint64_t most_y, std::uint64_t most_z) {
  dim3 extents;
  extents.x = static_cast<std::uint32_t>(in.number(fmt::format("{} x", what), 1, most_x));
  extents.y = static_cast<std::uint32_t>(in.number(fmt::format("{} y", what), 1, most_y));
  extents.z = static_cast<std::uint32_t>(in.number(fmt::format("{} z", what), 1, most_z));
  return extents;
}

/// Values of characters as hexadecimal digits; not_a_digit for the others. A table, as digits of images follow no pattern to predict.
constexpr std::uint8_t not_a_digit = 0xff;
constexpr std::array<std::uint8_t, 256> make_digit_values() {
  std::array<std::uint8_t, 256> values{};
  for (std::uint8_t& value : values) value = not_a_digit;
  for (std::uint8_t i = 0; i < 10; ++i) values[static_cast<std::size_t>('0' + i)] = i;
  for (std::uint8_t i = 10; i < 16; ++i)
    values[static_cast<std::size_t>('a' + i - 10)] = values[static_cast<std::size_t>('A' + i - 10)] = i;
  return values;
}
constexpr std::array<std::uint8_t, 256> digit_values = make_digit_values();

/// Adds a range to the ones of its kind; an overlap is an error at `position`.
void claim(const text_cursor& in, std::size_t position, range_set& taken, std::uint64_t base, std::uint64_t bytes) {
  if (const std::uint64_t line = taken.add(base, bytes, in.line().number))
    in.fail_at(position, fmt::format("the range {:#x} to {:#x} overlaps the one of line {}", base, base + bytes - 1, line));
}

}  // namespace

bool header_parser::knows(std::string_view word) { return find(word) != nullptr; }

const header_parser::directive* header_parser::find(std::string_view word) {
  const auto found = std::find_if(directives.begin(), directives.end(), [&](const directive& d) { return d.name == word; });
  return found == directives.end() ? nullptr : &*found;
}

void header_parser::read(text_cursor& line) {
  line.at_end();
  const std::size_t begin = line.position();
  const directive* kind = find(line.word());
  const auto index = static_cast<std::size_t>(kind - directives.data());
  const std::uint64_t most = kind->most == nullptr ? 1 : limits_.*kind->most;
  if (++lines_[index] > most)
    line.fail_at(begin, most == 1 ? fmt::format("'{}' is given twice", kind->name)
                                  : fmt::format("more than {} lines '{}' in a trace", most, kind->name));
  (this->*kind->read)(line);
  line.expect_end(kind->form);
}

kernel_header header_parser::finish(const text_cursor& where) {
  for (std::size_t i = 0; i < directives.size(); ++i)
    if (directives[i].required && lines_[i] == 0)
      where.fail_at(0, fmt::format("the header ends without '{}'; it must hold a line '{}'", directives[i].name, directives[i].form));
  check_matrix_shapes(where.line().file);
  check_cluster(where.line().file);
  check_shared_images(where.line().file);
  return std::move(header_);
}

void header_parser::read_arch(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  const std::string_view name = in.word();
  const auto arch = isa::find_architecture(name);
  if (!arch) in.fail_at(begin, fmt::format("unknown arch '{}'; known are {}", name, isa::architecture_names()));
  header_.arch = *arch;
  header_.arch_line = in.line().number;
  header_.arch_column = begin + 1;
}

void header_parser::read_kernel(text_cursor& in) {
  if (in.at_end()) in.fail("the kernel's name is missing");
  const std::size_t begin = in.position();
  header_.kernel = in.rest();
  const std::size_t bad = isa::find_unprintable(header_.kernel);
  if (bad != header_.kernel.size()) in.fail_at(begin + bad, "the kernel's name must be printable UTF-8");
}

void header_parser::read_grid(text_cursor& in) { header_.grid = read_extents(in, "grid", max_grid_x, max_grid_yz, max_grid_yz); }

void header_parser::read_block(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  header_.block = read_extents(in, "block", max_block_threads, max_block_threads, max_block_z);
  if (header_.block.count() > max_block_threads)
    in.fail_at(begin, fmt::format("the block has {} threads; it must have 1 to {}", header_.block.count(), max_block_threads));
}

void header_parser::read_cluster(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  header_.cluster = read_extents(in, "cluster", max_cluster_ctas, max_cluster_ctas, max_cluster_ctas);
  if (header_.cluster.count() > max_cluster_ctas)
    in.fail_at(begin, fmt::format("the cluster has {} CTAs; it must have 1 to {}", header_.cluster.count(), max_cluster_ctas));
  cluster_place_ = place{in.line().number, begin + 1};
}

void header_parser::read_registers(text_cursor& in) {
  header_.registers = static_cast<unsigned>(in.number("the number of registers", 1, kernel_header::max_registers));
}

void header_parser::read_shared(text_cursor& in) { header_.shared_bytes = in.number("the size of shared memory", 0, shared_window_bytes); }

void header_parser::read_data(text_cursor& in) {
  in.expect("none", "'data none'");
  header_.has_data = false;
}

void header_parser::read_constant(text_cursor& in) {
  const auto bank = static_cast<unsigned>(in.number("the constant bank", 0, constant_banks - 1));
  memory_image image = read_image(in, constant_bank_bytes, constants_[bank]);
  header_.constants.push_back({bank, image.base, std::move(image.content)});
}

void header_parser::read_memory(text_cursor& in) { header_.memory.push_back(read_image(in, address_limit, memory_)); }

void header_parser::read_shared_memory(text_cursor& in) {
  in.at_end();
  shared_image_places_.push_back({in.line().number, in.position() + 1});
  header_.shared_memory.push_back(read_image(in, shared_window_bytes, shared_memory_));
}

void header_parser::read_expect(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  header_.expectations.push_back({read_image(in, address_limit, expectations_), {}});
  expected_bytes_ += header_.expectations.back().content.bytes();
  if (expected_bytes_ > limits_.expected_bytes)
    in.fail_at(begin, fmt::format("the trace expects {} bytes up to here; {} are possible", expected_bytes_, limits_.expected_bytes));
}

void header_parser::read_tensor_map(text_cursor& in) {
  in.at_end();
  const std::size_t begin = in.position();
  const std::uint64_t address = in.number("the tensor map's address", 0, address_limit - tensor_map_alignment);
  if (address % tensor_map_alignment != 0)
    in.fail_at(begin, fmt::format("the tensor map's address must be a multiple of {}", tensor_map_alignment));
  if (header_.find_tensor_map(address) != nullptr) in.fail_at(begin, fmt::format("the tensor map at {:#x} is given twice", address));
  header_.tensor_maps.push_back({address, parse_tensor_map(in)});
}

void header_parser::read_matrix_shape(text_cursor& in) {
  in.at_end();
  const place at{in.line().number, in.position() + 1};
  shape_places_.push_back({parse_matrix_shape(in, header_.matrix_shapes), at});
}

/// The lines may stand before `arch`.
void header_parser::check_matrix_shapes(const std::string& file) const {
  for (const shape_place& shape : shape_places_) {
    if (!isa::is_hardware_mnemonic(shape.mnemonic, header_.arch)) continue;
    throw trace_error(
        file, shape.at.line, shape.at.column,
        fmt::format("{} has {} as it is; a shape of the trace's own needs another mnemonic", isa::name(header_.arch), shape.mnemonic));
  }
}

memory_image header_parser::read_image(text_cursor& in, std::uint64_t limit, range_set& taken) {
  in.at_end();
  const std::size_t begin = in.position();
  const std::uint64_t base = in.number("the base", 0, limit - 1);
  const std::uint64_t bytes = in.number("the number of bytes", 1, limit - base);
  claim(in, begin, taken, base, bytes);
  return {base, read_content(in, bytes)};
}

memory_content header_parser::read_content(text_cursor& in, std::uint64_t bytes) {
  if (in.at_end()) in.fail(fmt::format("the content is missing; it is {}", content_forms));
  const std::size_t begin = in.position();
  const std::string_view kind = in.word();
  if (kind == "zero") return memory_content::filled(bytes, 0);
  if (kind == "fill") return memory_content::filled(bytes, static_cast<std::uint8_t>(in.number("the byte", 0, 255)));
  if (kind == "hex") return read_hex(in, bytes);
  if (kind == "file") return read_file(in, bytes);
  in.fail_at(begin, fmt::format("unknown content '{}'; it is {}", kind, content_forms));
}

memory_content header_parser::read_file(text_cursor& in, std::uint64_t bytes) {
  if (in.at_end()) in.fail("the file's path is missing");
  const std::size_t begin = in.position();
  const std::filesystem::path named = in.rest(), path = folder_ / named;
  if (is_confined_ && leaves_folder(named)) in.fail_at(begin, fmt::format("the image file {} {}", named.string(), outside));
  std::error_code status;
  const bool regular = std::filesystem::is_regular_file(path, status);
  if (!regular || !std::ifstream(path)) in.fail_at(begin, fmt::format("the image file {} cannot be read", path.string()));
  if (is_confined_ && is_linked_outside(folder_, named))
    in.fail_at(begin, fmt::format("the image file {}, which is a link, {}", named.string(), outside));
  const std::uint64_t size = std::filesystem::file_size(path, status);
  if (size != bytes) in.fail_at(begin, fmt::format("the image file {} has {} bytes; it must have {}", path.string(), size, bytes));
  return memory_content::file(path, bytes);
}

memory_content header_parser::read_hex(text_cursor& in, std::uint64_t bytes) {
  in.at_end();
  const std::size_t begin = in.position();
  const std::string_view digits = in.word();
  if (digits.empty() && kept_)
    if (auto content = kept_(in.line().number, bytes)) return *std::move(content);
  if (digits.size() % 2 != 0 || digits.size() / 2 != bytes)
    in.fail_at(begin, fmt::format("{} hexadecimal digits; {} bytes need {}", digits.size(), bytes, 2 * bytes));
  digit_bytes_ += bytes;
  if (digit_bytes_ > limits_.digit_bytes)
    in.fail_at(begin, fmt::format("the header has {} bytes as digits up to here; {} are possible: put them into a file", digit_bytes_,
                                  limits_.digit_bytes));
  std::vector<std::uint8_t> values(bytes);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::uint8_t value = digit_values[static_cast<unsigned char>(digits[i])];
    if (value == not_a_digit) in.fail_at(begin + i, "not a hexadecimal digit");
    values[i / 2] = static_cast<std::uint8_t>(values[i / 2] << 4 | value);
  }
  return memory_content::literal(std::move(values));
}

void header_parser::check_cluster(const std::string& file) const {
  if (!cluster_place_) return;
  const dim3 &grid = header_.grid, &cluster = header_.cluster;
  const auto refuse = [&](const std::string& message) { throw trace_error(file, cluster_place_->line, cluster_place_->column, message); };
  if (cluster.count() > 1 && !isa::info(header_.arch).clusters)
    refuse("clusters need arch " + isa::architecture_names([](const isa::architecture_info& arch) { return arch.clusters; }));
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    refuse(fmt::format("the cluster must divide the grid {} {} {} in each direction", grid.x, grid.y, grid.z));
}

void header_parser::check_shared_images(const std::string& file) const {
  for (std::size_t i = 0; i < shared_image_places_.size(); ++i) {
    const memory_image& image = header_.shared_memory[i];
    if (image.base + image.content.bytes() > header_.shared_bytes)
      throw trace_error(file, shared_image_places_[i].line, shared_image_places_[i].column,
                        fmt::format("the image ends at {:#x}, beyond the {} bytes of 'shared'", image.base + image.content.bytes(),
                                    header_.shared_bytes));
  }
}

}  // namespace tc::trace
