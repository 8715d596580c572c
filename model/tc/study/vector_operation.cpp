// SPDX-License-Identifier: Apache-2.0
#include "vector_operation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/ptx_mma_name.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::study {

namespace {

/// The parts of an operation's name, such as "wgmma.m64n8k32.f32.e4m3.e4m3" or "m128n8k64.block16.f32.e2m1.e2m1.ue4m3", by what they are.
struct operation_name {
  unsigned m = 0, n = 0, k = 0;
  std::vector<numerics::number_format> types;  ///< in the order of the name: D, A, B, and C or the block scales
  bool is_wgmma = false;                       ///< begins with "wgmma"
  bool saturate = false, exclusive_or = false, conjunction = false;
  std::optional<unsigned> block_length;  ///< of "block16" or "block32"
};

/// Takes "m16n8k16" apart; false if `text` is no shape.
bool take_shape(std::string_view text, operation_name& name) {
  for (const auto& [letter, number] : {std::pair{'m', &name.m}, std::pair{'n', &name.n}, std::pair{'k', &name.k}}) {
    if (text.empty() || text.front() != letter) return false;
    const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + text.size(), *number);
    if (error != std::errc{} || *number == 0) return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  return text.empty();
}

bool take_type(std::string_view text, operation_name& name) {
  const auto& known = numerics::all_number_formats();
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& format) { return format.name == text; });
  if (found != known.end()) name.types.push_back(*found);
  return found != known.end();
}

bool take_modifier(std::string_view text, operation_name& name) {
  constexpr std::string_view without_effect[] = {"mma", "sync", "aligned", "mma_async", "tcgen05", "tcgen05_bs", "popc", "row", "col"};
  if (text == "wgmma") return name.is_wgmma = true;
  if (text == "satfinite") return name.saturate = true;
  if (text == "xor") return name.exclusive_or = true;
  if (text == "and") return name.conjunction = true;
  if (text == "block16" || text == "block32") return name.block_length = text == "block16" ? 16 : 32, true;
  return std::find(std::begin(without_effect), std::end(without_effect), text) != std::end(without_effect);
}

[[noreturn]] void fail_unknown(std::string_view part) {
  std::string types;
  for (const auto& format : numerics::all_number_formats()) types += fmt::format("{}{}", types.empty() ? "" : ", ", format.name);
  throw std::invalid_argument(
      fmt::format("\"{}\" is no part of an operation's name; it has a shape such as m16n8k16, element types of {}, and wgmma, satfinite, "
                  "xor, and, popc, row, col, block16, block32",
                  part, types));
}

/// Takes a name apart. Throws std::invalid_argument that names the part it does not know, with the parts there are.
operation_name parse_operation_name(std::string_view text) {
  operation_name name;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    operation_name with_shape = name;
    if (name.m == 0 && take_shape(part, with_shape)) {
      name = with_shape;
    } else if (!take_type(part, name) && !take_modifier(part, name)) {
      fail_unknown(part);
    }
  }
  if (name.m == 0) throw std::invalid_argument(fmt::format("\"{}\" has no shape, such as m16n8k16", text));
  return name;
}

using numerics::dot_product_operation;
using numerics::number_format;

template <typename... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// What is done with the products, from the types and from what the name says about saturation and bits.
dot_product_operation operation_of(const operation_name& name, const number_format& a, const number_format& accumulator) {
  using op = dot_product_operation;
  if (accumulator.is_floating_point()) return op::float_sum;
  if (a != numerics::b1) return name.saturate ? op::integer_saturate : op::integer_wrap;
  if (name.exclusive_or == name.conjunction) fail("an operation on b1 combines bits by either xor or and; its name must say which");
  return name.exclusive_or ? op::binary_xor : op::binary_and;
}

isa::element_type element_type_of(const number_format& format) {
  for (auto each = isa::element_type::f64; each <= isa::element_type::b1; each = static_cast<isa::element_type>(static_cast<int>(each) + 1))
    if (isa::name(each) == format.name) return each;
  fail("registers hold no elements of {}", format.name);
}

/// From the name of an mma.sync. Vectors may come from any architecture: the latest one that has the operation decodes it.
vector_operation register_operation(std::string_view text) {
  const isa::ptx_mma parsed = isa::parse_ptx_mma(isa::newest_architecture, {text, 1});
  if (parsed.instruction != isa::ptx_instruction::mma_sync) fail("vectors are of mma.sync or wgmma, whose layouts all architectures share");
  const isa::mma_operation& mma = parsed.mma;
  const operation_name name = parse_operation_name(text);
  vector_operation operation;
  operation.m = mma.m;
  operation.n = mma.n;
  operation.k = mma.k;
  operation.c = isa::format_of(mma.c);
  operation.types = {isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), dot_product_operation::float_sum, {}};
  operation.types.operation = operation_of(name, operation.types.a, operation.types.accumulator);
  operation.fragments = mma;
  return operation;
}

/// Checks shape and types of a wgmma (PTX ISA, wgmma.mma_async: k elements are 32 bytes, n is a multiple of 8).
void check_warpgroup(const operation_name& name) {
  if (name.types.size() < 3 || name.types.size() > 4) fail("wgmma names the types of D, A and B, such as .f32.f16.f16");
  const number_format &d = name.types[0], &a = name.types[1], &b = name.types[2];
  if (name.m != 64) fail("m is 64 in a wgmma, not {}", name.m);
  if (name.n % 8 != 0 || name.n > 256) fail("n is a multiple of 8 up to 256 in a wgmma, not {}", name.n);
  constexpr std::array<std::array<std::string_view, 2>, 6> pairs{
      {{"f16", "f16"}, {"bf16", "bf16"}, {"tf32", "tf32"}, {"s8", "s8"}, {"u8", "u8"}, {"b1", "b1"}}};
  const auto is_f8 = [](const number_format& format) { return format == numerics::e4m3 || format == numerics::e5m2; };
  const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return a.name == pair[0] && b.name == pair[1]; });
  const bool integers = !a.is_floating_point() && a.storage_bits == 8 && !b.is_floating_point() && b.storage_bits == 8;
  if (!known && !integers && !(is_f8(a) && is_f8(b))) fail("wgmma has no A of {} with B of {}", a.name, b.name);
  if (name.k != 256 / a.storage_bits) fail("k is {} in a wgmma of {}, not {}", 256 / a.storage_bits, a.name, name.k);
  const bool takes_f16 = a == numerics::f16 || is_f8(a);
  const bool fits = a.is_floating_point() ? d == numerics::f32 || (d == numerics::f16 && takes_f16) : d == numerics::s32;
  if (!fits) fail("a wgmma of {} does not accumulate in {}", a.name, d.name);
}

vector_operation warpgroup_operation(const operation_name& name) {
  check_warpgroup(name);
  const number_format &d = name.types[0], &a = name.types[1], &b = name.types[2];
  vector_operation operation;
  operation.family = instruction_family::wgmma;
  operation.m = name.m;
  operation.n = name.n;
  operation.k = name.k;
  operation.c = d;
  operation.types = {a, b, d, operation_of(name, a, d), {}};
  isa::mma_operation& part = operation.fragments;
  part.m = 16;
  part.n = 8;
  part.k = static_cast<std::uint16_t>(name.k);
  part.a = element_type_of(a);
  part.b = element_type_of(b);
  part.c = part.d = element_type_of(d);
  return operation;
}

number_format format_of_field(std::string_view field, std::string_view type) {
  try {
    return numerics::find_number_format(type);
  } catch (const std::invalid_argument& error) {
    fail("{}={}: {}", field, type, error.what());
  }
}

/// The block scales that a header speaks of.
std::optional<numerics::block_scaling> scaling_of(const operation_name& name, const dot_types& types) {
  if ((types.scale == "-") != (types.scales == 0)) fail("scales={} and s={} contradict each other", types.scales, types.scale);
  if (types.scales == 0) {
    if (name.block_length) fail("the name says block{}, but scales=0", *name.block_length);
    return std::nullopt;
  }
  const number_format format = format_of_field("s", types.scale);
  if (format != numerics::ue8m0 && format != numerics::ue4m3) fail("s={}: block scales are ue8m0 or ue4m3", types.scale);
  if (types.k % types.scales != 0) fail("scales={} does not divide k={}", types.scales, types.k);
  const unsigned block_length = types.k / types.scales;
  if (name.block_length && *name.block_length != block_length)
    fail("the name says block{}, but k={} and scales={} make blocks of {}", *name.block_length, types.k, types.scales, block_length);
  return numerics::block_scaling{format, block_length};
}

}  // namespace

std::string_view name(instruction_family family) {
  switch (family) {
    case instruction_family::mma_sync:
      return "mma.sync";
    case instruction_family::wgmma:
      return "wgmma";
    case instruction_family::tcgen05:
      break;
  }
  return "tcgen05";
}

vector_operation parse_fragment_operation(std::string_view text) {
  try {
    if (text.substr(0, 6) == "wgmma.") return warpgroup_operation(parse_operation_name(text));
    return register_operation(text);
  } catch (const isa::syntax_error& error) {
    fail("operation {}: {}", text, error.what());
  } catch (const std::invalid_argument& error) {
    fail("operation {}: {}", text, error.what());
  }
}

vector_operation parse_dot_operation(std::string_view text, const dot_types& types) {
  const operation_name name = parse_operation_name(text);
  if (name.k != types.k) fail("the name {} has k {}, but the header k={}", text, name.k, types.k);
  vector_operation operation;
  if (name.m >= 64) operation.family = name.m == 64 && !name.block_length ? instruction_family::wgmma : instruction_family::tcgen05;
  operation.m = name.m;
  operation.n = name.n;
  operation.k = types.k;
  operation.c = format_of_field("c", types.c);
  operation.types = {
      format_of_field("a", types.a), format_of_field("b", types.b), format_of_field("d", types.d), {}, scaling_of(name, types)};
  operation.types.operation = operation_of(name, operation.types.a, operation.types.accumulator);
  const bool widens = operation.c == numerics::f16 && operation.types.accumulator == numerics::f32;
  if (operation.c != operation.types.accumulator && !widens) fail("c={} does not go with d={}", types.c, types.d);
  return operation;
}

vector_operation parse_dot_operation(std::string_view text) {
  const operation_name name = parse_operation_name(text);
  if (name.types.size() < 3) fail("operation {}: the types of D, A and B must follow the shape, such as .f32.f16.f16", text);
  dot_types types;
  types.d = types.c = name.types[0].name;
  types.a = name.types[1].name;
  types.b = name.types[2].name;
  types.k = name.k;
  if (name.block_length) {
    if (name.types.size() != 4) fail("operation {}: the type of the block scales must follow those of D, A and B", text);
    types.scale = name.types[3].name;
    types.scales = name.k / *name.block_length;
  } else if (name.types.size() == 4) {
    types.c = name.types[3].name;
  }
  return parse_dot_operation(text, types);
}

}  // namespace tc::study
