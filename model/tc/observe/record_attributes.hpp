// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// Where the attribute of this name stands among those of a type; nothing if it has none.
inline std::optional<std::size_t> attribute_place(const fabric::record_type& type, std::string_view name) {
  for (std::size_t a = 0; a < type.attribute_count(); ++a)
    if (type.attributes[a].name == name) return a;
  return std::nullopt;
}

/// The number of a record's attribute, from the event of its begin; 0 if the type has none of this name.
inline std::uint64_t attribute_number(const fabric::record_event& begin, std::string_view name) {
  const auto place = attribute_place(begin.stream->type(), name);
  return place ? begin.values[*place].number : 0;
}

/// Its text: of a choice, the name that is chosen; otherwise empty.
inline std::string_view attribute_text(const fabric::record_event& begin, std::string_view name) {
  const fabric::record_type& type = begin.stream->type();
  const auto place = attribute_place(type, name);
  if (!place) return {};
  const fabric::record_attribute& attribute = type.attributes[*place];
  const fabric::record_value& value = begin.values[*place];
  if (attribute.kind != fabric::attribute_kind::choice) return value.text;
  return value.number < attribute.choice_count ? attribute.choices[value.number] : std::string_view();
}

}  // namespace tc::observe
