// SPDX-License-Identifier: Apache-2.0
#include "memory_reference_parser.hpp"

#include <limits>

#include <tc/isa/number_text.hpp>
#include <tc/isa/register_name.hpp>

namespace tc::isa {
namespace {

/// Adds the term of a vector register, such as R2.64 or R8.X16.
void add_base(memory_reference& memory, register_name base, std::string_view suffix, const source_text& source) {
  memory.base = base.index;
  memory.base_count = 1;
  if (suffix.empty() || suffix == "U32") return;
  if (suffix == "64") {
    memory.base_count = 2;
  } else if (suffix == "X4" || suffix == "X8" || suffix == "X16") {
    memory.scale = static_cast<std::uint8_t>(*parse_unsigned(suffix.substr(1)));
  } else {
    source.fail(suffix, "a base register takes .64, .U32, .X4, .X8 or .X16, found ." + std::string(suffix));
  }
}

void add_uniform(memory_reference& memory, register_name uniform, std::string_view suffix, const source_text& source) {
  if (!suffix.empty() && suffix != "64") source.fail(suffix, "a uniform register of an address takes .64 only");
  memory.uniform = uniform.index;
  memory.uniform_count = suffix == "64" ? 2 : 1;
}

void add_offset(memory_reference& memory, std::string_view term, const source_text& source) {
  const bool negative = term.substr(0, 1) == "-";
  const auto magnitude = parse_unsigned(negative ? term.substr(1) : term);
  if (!magnitude || *magnitude > std::numeric_limits<std::int32_t>::max()) {
    source.fail(term, "expected a register or an offset such as 0x10 or -0x10, found " + quoted(term));
  }
  const auto offset = static_cast<std::int32_t>(*magnitude);
  memory.offset = negative ? -offset : offset;
}

}  // namespace

memory_reference parse_memory_reference(std::string_view text, const source_text& source) {
  memory_reference memory;
  if (text.empty()) source.fail(text, "an address must not be empty");
  bool base_seen = false, uniform_seen = false, offset_seen = false;
  const auto only_once = [&](bool& seen, std::string_view term, std::string_view what) {
    if (seen) source.fail(term, "an address has at most one " + std::string(what));
    seen = true;
  };
  std::string_view rest = text;
  do {
    const std::string_view term = take_until(rest, '+');
    std::string_view suffix = term;
    const register_name name = parse_register_name(take_until(suffix, '.'), source);
    if (name.file == register_file::vector) {
      only_once(base_seen, term, "base register");
      add_base(memory, name, suffix, source);
    } else if (name.file == register_file::uniform) {
      only_once(uniform_seen, term, "uniform register");
      add_uniform(memory, name, suffix, source);
    } else {
      only_once(offset_seen, term, "offset");
      add_offset(memory, term, source);
    }
  } while (!rest.empty());
  if (text.back() == '+') source.fail(text.substr(text.size() - 1), "a term must follow the plus sign");
  return memory;
}

}  // namespace tc::isa
