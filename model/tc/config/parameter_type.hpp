// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tc::config {

/// What a reader of the configuration wants to know about one member of a record.
struct parameter_note {
  std::string_view name;     ///< the member
  std::string_view unit;     ///< "cycles", "bits", ...; empty unless the parameter is a number
  std::string_view meaning;  ///< what it sets
  std::string_view source;   ///< where the default comes from: paper, vendor document, measurement, or "design" for a choice of this model
};

struct parameter_type;

/// The type of parameters of a C++ type. A record's is instantiated in its source, so that readers, writers and lists of parameters, which
/// work on any type, compile once: `template const parameter_type& type_of<record>();` behind described_type.hpp, which says what T may be.
template <class T>
const parameter_type& type_of();

struct boolean_form {};  ///< bool
struct real_form {};     ///< double
struct text_form {};     ///< std::string

struct signed_form {
  std::int64_t least, most;
  std::int64_t (*get)(const void* number);
  void (*set)(void* number, std::int64_t value);
};

struct unsigned_form {
  std::uint64_t most;
  std::uint64_t (*get)(const void* number);
  void (*set)(void* number, std::uint64_t value);
};

struct enumeration_form {
  std::vector<std::string> names;
  const char* (*get)(const void* enumerator);  ///< its name; "(unnamed)" if it has none
  void (*set)(void* enumerator, const std::string& known_name);
};

struct optional_form {
  const parameter_type* held;
  const void* (*value)(const void* optional);  ///< null if there is none
  void* (*emplace)(void* optional);
  void (*reset)(void* optional);
};

struct list_form {
  const parameter_type* element;
  std::size_t (*size)(const void* list);
  void (*renew)(void* list, std::size_t size);  ///< gives it as many elements with default values; null: the size is fixed
  const void* (*at)(const void* list, std::size_t index);
};

struct table_form {
  const parameter_type* entry;
  void* (*at)(void* table, const std::string& key);  ///< adds the entry if there is none
  void (*for_each)(const void* table, const std::function<void(const std::string& key, const void* entry)>& visit);
};

struct record_form {
  struct member {
    std::string name;
    const parameter_type* type;
    const void* (*of)(const void* record);
  };

  std::vector<member> members;                                    ///< inherited ones first, in the order of declaration
  std::vector<std::string> names;                                 ///< of the members
  std::vector<parameter_note> notes;                              ///< as described, whether right or wrong: see check_notes()
  void (*validate)(const void* record, const std::string& path);  ///< null if the record has no rules; see validate_tree()
};

/// What a parameter of a C++ type is, and how to get at what is in it. Parameters are passed as pointers to objects of that type.
struct parameter_type {
  std::variant<boolean_form, signed_form, unsigned_form, real_form, text_form, enumeration_form, optional_form, list_form, table_form,
               record_form>
      form;
  std::shared_ptr<void> (*make)();  ///< a new parameter with its default value
};

/// The type of what an optional, a list or a table holds; null for any other type.
const parameter_type* held_type(const parameter_type& type);

/// What is found in a parameter that may be changed may be changed too.
inline void* changeable(const void* part) { return const_cast<void*>(part); }

/// The form of a type, to be visited by a function for each form, or for `const auto&`.
template <class... Functions>
struct by_form : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
by_form(Functions...) -> by_form<Functions...>;

}  // namespace tc::config
