// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tc::fabric {

/// How the value of an attribute is read.
enum class attribute_kind : std::uint8_t {
  number,   ///< decimal
  address,  ///< hexadecimal
  choice,   ///< one of a list of names; the value is its index
  text,     ///< `record_value::text`
  record,   ///< the id of another record, of any stream; 0: none
};

/// One attribute of the records of a type. Names are literals.
struct record_attribute {
  std::string_view name{};  ///< snake_case, e.g. "pc"; empty: the type has no further attributes
  attribute_kind kind = attribute_kind::number;
  unsigned bits = 32;                         ///< its width in waves; of a text, 8 for each character that waves show
  const std::string_view* choices = nullptr;  ///< of a choice: the names, `choice_count` of them
  std::size_t choice_count = 0;
};

/// What a stream of records tells about.
struct record_type {
  static constexpr std::size_t max_attributes = 8;

  std::string_view name;         ///< snake_case, the same in all writers, e.g. "operand_fetch"
  std::string_view description;  ///< one sentence for people
  std::array<record_attribute, max_attributes> attributes{};
  unsigned open_bits = 1;  ///< width of the number of records of a stream that are open at once: 1 if there is at most one
  bool is_detail = false;  ///< finer than what people look at one by one: in waves, not in timelines

  constexpr std::size_t attribute_count() const {
    std::size_t count = 0;
    while (count < max_attributes && !attributes[count].name.empty()) ++count;
    return count;
  }
};

}  // namespace tc::fabric
