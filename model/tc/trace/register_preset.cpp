// SPDX-License-Identifier: Apache-2.0
#include "register_preset.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tc::trace {
namespace {

constexpr std::string_view preset_form = "'reg R8 VALUE' or 'reg R8 {VALUE, VALUE, ...}' with 32 values";

bool is_uniform(isa::register_file file) { return file == isa::register_file::uniform || file == isa::register_file::uniform_predicate; }
bool is_predicate(isa::register_file file) {
  return file == isa::register_file::predicate || file == isa::register_file::uniform_predicate;
}

isa::register_file read_file(text_cursor& in) {
  if (in.accept("UR")) return isa::register_file::uniform;
  if (in.accept("UP")) return isa::register_file::uniform_predicate;
  if (in.accept("R")) return isa::register_file::vector;
  if (in.accept("P")) return isa::register_file::predicate;
  in.fail(fmt::format("expected a register; the form is {}", preset_form));
}

}  // namespace

unsigned register_count(isa::register_file file, unsigned registers) {
  if (file == isa::register_file::vector) return registers;
  if (is_predicate(file)) return isa::true_predicate;
  return file == isa::register_file::uniform ? isa::zero_uniform_register : 0;
}

register_preset parse_register_preset(text_cursor& in, unsigned registers) {
  register_preset preset;
  preset.file = read_file(in);
  preset.index = static_cast<std::uint8_t>(in.number("the register's number", 0, register_count(preset.file, registers) - 1));
  const std::uint64_t most = is_predicate(preset.file) ? 1 : std::numeric_limits<std::uint32_t>::max();
  const auto read_value = [&] { return static_cast<std::uint32_t>(in.number("the value", 0, most)); };
  if (in.peek() != '{') {
    preset.values.fill(read_value());
  } else if (is_uniform(preset.file)) {
    in.fail("a uniform register has one value for all lanes");
  } else {
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      in.expect(lane == 0 ? "{" : ",", preset_form);
      preset.values[lane] = read_value();
    }
    in.expect("}", preset_form);
  }
  in.expect_end(preset_form);
  return preset;
}

}  // namespace tc::trace
