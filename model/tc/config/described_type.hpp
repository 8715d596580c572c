// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/describe/enum_from_string.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Calls `visit` with the descriptor (`name`, `pointer`) of each member of a record that is described with BOOST_DESCRIBE_STRUCT, inherited
/// ones first, in the order of declaration.
template <class Record, class Visit>
void for_each_member(Visit&& visit) {
  using namespace boost::describe;
  boost::mp11::mp_for_each<describe_members<Record, mod_any_access | mod_inherited>>(visit);
}

}  // namespace tc::config

/// Makes the types of parameters (parameter_type.hpp) from C++ types. A parameter may be a record (struct described with
/// BOOST_DESCRIBE_STRUCT), an enumeration (described with BOOST_DESCRIBE_ENUM), a list (std::vector, std::array), a table (std::map keyed
/// by strings), an optional one of these, or a bool, integer, double or string.
namespace tc::config {

/// The notes of a record: whatever `describe_parameters(const record*)`, a constexpr function in the namespace of the record, returns:
///
///     inline constexpr auto describe_parameters(const buffer*) {
///       return std::array{tc::config::parameter_note{"depth_tiles", "tiles", "capacity in operand tiles", "Raihan et al., ISPASS 2019"}};
///     }
template <class T, class = void>
inline constexpr bool has_notes_v = false;
template <class T>
inline constexpr bool has_notes_v<T, std::void_t<decltype(describe_parameters(static_cast<const T*>(nullptr)))>> = true;

/// The rules of a record: `void validate(const record&, const std::string& path)` in the namespace of the record. See validate_tree().
template <class T, class = void>
inline constexpr bool has_validate_v = false;
template <class T>
inline constexpr bool has_validate_v<T, std::void_t<decltype(validate(std::declval<const T&>(), std::declval<const std::string&>()))>> =
    true;

/// Makes the form of a C++ type; specialised for types that hold others.
template <class T>
struct form_of {
  static const T& in(const void* parameter) { return *static_cast<const T*>(parameter); }
  static T& in(void* parameter) { return *static_cast<T*>(parameter); }

  static auto make() {
    if constexpr (std::is_same_v<T, bool>)
      return boolean_form{};
    else if constexpr (std::is_same_v<T, double>)
      return real_form{};
    else if constexpr (std::is_same_v<T, std::string>)
      return text_form{};
    else if constexpr (boost::describe::has_describe_members<T>::value)
      return make_record();
    else if constexpr (boost::describe::has_describe_enumerators<T>::value)
      return make_enumeration();
    else
      return make_integer();
  }

 private:
  static auto make_integer() {
    static_assert(std::is_integral_v<T>, "not a kind of parameter, or not described: see the top of described_type.hpp");
    using limits = std::numeric_limits<T>;
    if constexpr (limits::is_signed)
      return signed_form{limits::min(), limits::max(), [](const void* number) -> std::int64_t { return in(number); },
                         [](void* number, std::int64_t value) { in(number) = static_cast<T>(value); }};
    else
      return unsigned_form{limits::max(), [](const void* number) -> std::uint64_t { return in(number); },
                           [](void* number, std::uint64_t value) { in(number) = static_cast<T>(value); }};
  }

  static enumeration_form make_enumeration() {
    enumeration_form form{
        {},
        [](const void* enumerator) { return boost::describe::enum_to_string(in(enumerator), "(unnamed)"); },
        [](void* enumerator, const std::string& name) { boost::describe::enum_from_string(name.c_str(), in(enumerator)); }};
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto value) { form.names.emplace_back(value.name); });
    return form;
  }

  template <class Descriptor>
  static const void* member_of(const void* record) {
    return &(in(record).*Descriptor::pointer);
  }

  static record_form make_record() {
    record_form form{};
    for_each_member<T>([&](auto member) {
      using type = std::remove_reference_t<decltype(std::declval<T&>().*member.pointer)>;
      form.members.push_back({member.name, &type_of<type>(), &member_of<decltype(member)>});
      form.names.emplace_back(member.name);
    });
    if constexpr (has_notes_v<T>)
      for (const parameter_note& note : describe_parameters(static_cast<const T*>(nullptr))) form.notes.push_back(note);
    if constexpr (has_validate_v<T>) form.validate = [](const void* record, const std::string& path) { validate(in(record), path); };
    return form;
  }
};

template <class T>
struct form_of<std::optional<T>> {
  static optional_form make() {
    return {&type_of<T>(),
            [](const void* optional) -> const void* {
              const auto& in = *static_cast<const std::optional<T>*>(optional);
              return in ? &*in : nullptr;
            },
            [](void* optional) -> void* { return &static_cast<std::optional<T>*>(optional)->emplace(); },
            [](void* optional) { static_cast<std::optional<T>*>(optional)->reset(); }};
  }
};

template <class List>
struct list_form_of {
  static list_form make(void (*renew)(void*, std::size_t)) {
    return {&type_of<typename List::value_type>(), [](const void* list) { return static_cast<const List*>(list)->size(); }, renew,
            [](const void* list, std::size_t index) -> const void* { return &(*static_cast<const List*>(list))[index]; }};
  }
};

template <class T>
struct form_of<std::vector<T>> : list_form_of<std::vector<T>> {
  static list_form make() {
    return list_form_of<std::vector<T>>::make([](void* list, std::size_t size) { static_cast<std::vector<T>*>(list)->assign(size, T{}); });
  }
};

template <class T, std::size_t N>
struct form_of<std::array<T, N>> : list_form_of<std::array<T, N>> {
  static list_form make() { return list_form_of<std::array<T, N>>::make(nullptr); }
};

template <class T>
struct form_of<std::map<std::string, T>> {
  static table_form make() {
    using table = std::map<std::string, T>;
    return {&type_of<T>(), [](void* in, const std::string& key) -> void* { return &(*static_cast<table*>(in))[key]; },
            [](const void* in, const std::function<void(const std::string&, const void*)>& visit) {
              for (const auto& [key, entry] : *static_cast<const table*>(in)) visit(key, &entry);
            }};
  }
};

template <class T>
const parameter_type& type_of() {
  static const parameter_type type{form_of<T>::make(), []() -> std::shared_ptr<void> { return std::make_shared<T>(); }};
  return type;
}

}  // namespace tc::config
