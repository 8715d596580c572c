// SPDX-License-Identifier: Apache-2.0
#include "packed_contents.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tc/trace/code_decoder.hpp>
#include <tc/trace/instruction_check.hpp>
#include <tc/trace/instruction_line.hpp>

namespace tc::packed {
namespace {

using address_form = line_style::address_form;

/// Pcs have four digits as a rule, and more where they need them.
constexpr std::uint8_t usual_pc_digits = 4;

/// `line` begins with the pc.
std::uint8_t pc_digits_of(std::string_view line) {
  constexpr std::size_t begin = 2;
  const auto digits = static_cast<std::uint8_t>(std::min<std::size_t>(line.find('*', begin) - begin, 8));
  return line[begin] == '0' ? digits : std::min(digits, usual_pc_digits);
}

address_form form_of(std::string_view addresses) {
  if (addresses.front() == '{') return address_form::listed;
  return addresses.find_first_of("+-") == std::string_view::npos ? address_form::one : address_form::strided;
}

/// What stands behind the base.
std::int64_t stride_in(trace::text_cursor& in) {
  in.number("the address", 0, ~std::uint64_t{0});
  in.accept("+");
  return in.signed_number("the stride", std::int64_t{1} << 62);
}

/// Distance of neighbouring lanes, `alone` if only one has an address.
std::int64_t stride_of(const trace::address_list& addresses, std::int64_t alone) {
  const unsigned first = trace::first_lane(addresses.lanes());
  const trace::lane_mask others = addresses.lanes() & (addresses.lanes() - 1);
  if (others == 0) return alone;
  const unsigned second = trace::first_lane(others);
  return static_cast<std::int64_t>(addresses[second] - addresses[first]) / static_cast<std::int64_t>(second - first);
}

void write_list(const trace::address_list& addresses, std::string& line) {
  const char* separator = "{";
  trace::for_each_lane(addresses.lanes(), [&](unsigned lane) {
    fmt::format_to(std::back_inserter(line), "{}{:#x}", separator, addresses[lane]);
    separator = ", ";
  });
  line += '}';
}

void write_addresses(const line_style& style, const trace::address_list& addresses, std::string& line) {
  line += " @ ";
  if (style.addresses == address_form::listed) return write_list(addresses, line);
  const auto out = std::back_inserter(line);
  fmt::format_to(out, "{:#x}", addresses[trace::first_lane(addresses.lanes())]);
  if (style.addresses == address_form::strided) fmt::format_to(out, "{:+}", stride_of(addresses, style.stride));
}

}  // namespace

std::optional<line_style> style_of(const trace::source_line& line, const trace::step& s, std::string_view code) {
  trace::text_cursor in(line);
  const trace::instruction_line parts = trace::split_instruction(in);
  line_style style;
  if (parts.pc) style.pc_digits = pc_digits_of(line.text);
  style.has_mask = parts.mask.has_value();
  if (parts.addresses_position != trace::instruction_line::absent && !s.addresses.empty()) {
    style.addresses = form_of(line.text.substr(parts.addresses_position));
    if (style.addresses == address_form::strided && trace::count_lanes(s.addresses.lanes()) == 1) style.stride = stride_in(in);
  }
  std::string written;
  write_line(style, s, code, written);
  return written == line.text ? std::optional(style) : std::nullopt;
}

void write_line(const line_style& style, const trace::step& s, std::string_view code, std::string& line) {
  if (style.pc_digits != 0) fmt::format_to(std::back_inserter(line), "/*{:0{}x}*/ ", s.pc, style.pc_digits);
  line += code;
  if (style.has_mask) fmt::format_to(std::back_inserter(line), " mask {:08x}", s.mask);
  if (style.addresses != address_form::none && !s.addresses.empty()) write_addresses(style, s.addresses, line);
}

namespace {

// Of a form: digits of the pc, and the rest.
constexpr unsigned digits_mask = 15, mask_style_flag = 16, text_style_flag = 128;
constexpr unsigned form_shift = 5, form_mask = 3;

/// Of a header: constant, memory, shared-memory.
constexpr unsigned kinds_of_ranges = 3;

/// Styles of lines and strides of addresses in which each instruction may stand, in the mean.
constexpr unsigned forms_per_instruction = 16;

void write_style(const std::optional<line_style>& style, byte_writer& out) {
  if (!style) return out.byte(text_style_flag);
  out.byte(static_cast<std::uint8_t>(style->pc_digits | (style->has_mask ? mask_style_flag : 0) |
                                     static_cast<unsigned>(style->addresses) << form_shift));
  if (style->addresses == line_style::address_form::strided) out.number(trace::zigzag(static_cast<std::uint64_t>(style->stride)));
}

std::optional<line_style> read_style(byte_reader& in) {
  const unsigned flags = in.byte();
  if ((flags & text_style_flag) != 0) return std::nullopt;
  line_style style;
  style.pc_digits = static_cast<std::uint8_t>(flags & digits_mask);
  style.has_mask = (flags & mask_style_flag) != 0;
  style.addresses = static_cast<line_style::address_form>(flags >> form_shift & form_mask);
  if (style.addresses == line_style::address_form::strided) style.stride = static_cast<std::int64_t>(trace::unzigzag(in.number()));
  return style;
}

}  // namespace

bool packed_form::operator<(const packed_form& other) const {
  return code_index != other.code_index ? code_index < other.code_index : style < other.style;
}

void write_kernel(const packed_kernel& kernel, byte_writer& out) {
  out.text(kernel.header);
  out.number(kernel.images.size());
  for (const packed_image& image : kernel.images) {
    out.number(image.line);
    out.number(image.offset);
    out.number(image.bytes);
  }
  out.number(kernel.registers);
  out.number(kernel.instructions);
  out.byte(kernel.terminated ? 1 : 0);
}

packed_kernel read_kernel(packed_file& file, const trace::size_limits& limits) {
  byte_reader in(file, file.directory().kernel);
  packed_kernel kernel;
  kernel.header = in.text();
  for (std::uint64_t left = in.count("lines with images", kinds_of_ranges * limits.ranges + limits.expectations); left != 0; --left) {
    packed_image image;
    image.line = in.number();
    const std::uint64_t all = file.directory().images.bytes;
    image.offset = in.number_below(all + 1);
    image.bytes = in.number_below(all - image.offset + 1);
    kernel.images.push_back(image);
  }
  kernel.registers = static_cast<unsigned>(in.number_below(trace::kernel_header::max_registers + 1));
  kernel.instructions = in.count("instructions", limits.instructions);
  kernel.terminated = in.byte() != 0;
  return kernel;
}

void write_code(const trace::code_table& code, const std::vector<packed_form>& forms, byte_writer& out) {
  out.number(code.size());
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    out.text(code.text(i));
    out.number(code[i].executions);
    out.number(code[i].line);
  }
  out.number(forms.size());
  for (const packed_form& form : forms) {
    out.number(form.code_index);
    write_style(form.style, out);
  }
}

std::vector<packed_form> read_code(packed_file& file, trace::trace_contents& contents, const trace::size_limits& limits) {
  byte_reader in(file, file.directory().code);
  for (std::uint64_t left = in.count("different instructions", limits.distinct_instructions); left != 0; --left) {
    const std::string_view text = in.text();
    if (text.empty() || contents.code.find(text)) in.fail();
    const std::uint64_t executions = in.number();
    const trace::text_cursor line({file.name(), in.number(), text});
    trace::instruction_line parts;
    parts.code = text;
    trace::code_entry entry = trace::decode_code(text, contents.header, contents.header.registers, parts, line);
    entry.executions = executions;
    contents.code.add(text, std::move(entry));
  }
  std::vector<packed_form> forms;
  for (std::uint64_t left = in.count("forms of instructions", forms_per_instruction * limits.distinct_instructions); left != 0; --left) {
    packed_form form;
    form.code_index = static_cast<std::uint32_t>(in.number_below(contents.code.size()));
    form.style = read_style(in);
    const trace::code_entry& code = contents.code[form.code_index];
    contents.forms.push_back({&code.instruction, form.code_index, trace::is_checked_at_a_glance(code)});
    forms.push_back(form);
  }
  return forms;
}

void write_warps(const trace::trace_contents& contents, const std::vector<std::uint64_t>& extents, byte_writer& out) {
  out.number(extents.size() - 1);
  for (std::size_t i = 1; i < extents.size(); ++i) out.number(extents[i] - extents[i - 1]);
  out.number(contents.ctas.size());
  std::uint64_t linear = 0, warp = 0;  // what mostly comes next
  for (const trace::cta_entry& cta : contents.ctas) {
    const std::uint64_t index = trace::linear_index(cta, contents.header.grid);
    out.number(index - linear);
    out.number(trace::zigzag(cta.first_warp - warp));
    out.number(cta.warp_count);
    linear = index + 1;
    warp = std::uint64_t{cta.first_warp} + cta.warp_count;
  }
}

void read_warps(packed_file& file, trace::trace_contents& contents, const trace::size_limits& limits) {
  byte_reader in(file, file.directory().warps);
  const std::uint64_t step_bytes = file.directory().steps.bytes;
  contents.warp_extents.push_back(0);
  for (std::uint64_t left = in.count("warps", limits.warps); left != 0; --left) {
    const std::uint64_t begin = contents.warp_extents.back();
    contents.warp_extents.push_back(begin + in.number_below(step_bytes - begin + 1));
  }
  if (contents.warp_extents.back() != step_bytes) in.fail();
  const std::uint64_t warps = contents.warp_extents.size() - 1;
  const trace::dim3& grid = contents.header.grid;
  std::uint64_t linear = 0, warp = 0;
  for (std::uint64_t left = in.count("CTAs", limits.ctas); left != 0; --left) {
    linear += in.number();
    if (linear >= grid.count()) in.fail();
    const std::uint64_t first = warp + trace::unzigzag(in.number());
    const std::uint64_t count = in.number_below(std::uint64_t{contents.header.warps_per_cta()} + 1);
    if (count == 0 || first > warps || count > warps - first) in.fail();
    contents.ctas.push_back({static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
                             static_cast<std::uint32_t>(linear / grid.x / grid.y), static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(count)});
    ++linear;
    warp = first + count;
  }
  if (contents.ctas.empty()) in.fail();
}

void write_block_sizes(const packed_block_sizes& sizes, byte_writer& out) {
  for (const auto* const stream : {&sizes.images, &sizes.steps}) {
    out.number(stream->size());
    for (const std::uint64_t size : *stream) out.number(size);
  }
}

packed_block_sizes read_block_sizes(packed_file& file) {
  byte_reader in(file, file.directory().block_sizes);
  packed_block_sizes sizes;
  for (auto* const stream : {&sizes.images, &sizes.steps})
    for (std::uint64_t left = in.count("blocks", file.max_blocks()); left != 0; --left) stream->push_back(in.number());
  return sizes;
}

}  // namespace tc::packed
