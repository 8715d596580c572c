#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/describe.hpp>
#include <boost/mp11.hpp>

namespace tc::config {

/// What a parameter may be: a record (struct described with BOOST_DESCRIBE_STRUCT), an enumeration (described with BOOST_DESCRIBE_ENUM), a
/// list (std::vector, std::array), a table (std::map keyed by strings), an optional one of these, or a scalar: bool, integer, double,
/// string.

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
inline constexpr bool is_optional_v = is_optional<T>::value;

template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
inline constexpr bool is_vector_v = is_vector<T>::value;

template <class T>
struct is_array : std::false_type {};
template <class T, std::size_t N>
struct is_array<std::array<T, N>> : std::true_type {};
template <class T>
inline constexpr bool is_list_v = is_vector_v<T> || is_array<T>::value;

template <class T>
struct is_table : std::false_type {};
template <class T>
struct is_table<std::map<std::string, T>> : std::true_type {};
template <class T>
inline constexpr bool is_table_v = is_table<T>::value;

template <class T>
inline constexpr bool is_record_v = boost::describe::has_describe_members<T>::value;

/// An enumeration without BOOST_DESCRIBE_ENUM is no parameter.
template <class T>
inline constexpr bool is_enumeration_v = boost::describe::has_describe_enumerators<T>::value;

template <class T>
inline constexpr bool is_integer_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_scalar_v =
    std::is_same_v<T, bool> || is_integer_v<T> || std::is_same_v<T, double> || std::is_same_v<T, std::string>;

/// Calls `visit` with the descriptor (`name`, `pointer`) of each member of a record, inherited ones first, in the order of declaration.
template <class Record, class Visit>
void for_each_member(Visit&& visit) {
  using namespace boost::describe;
  boost::mp11::mp_for_each<describe_members<Record, mod_any_access | mod_inherited>>(visit);
}

template <class Record>
std::vector<std::string> member_names() {
  std::vector<std::string> names;
  for_each_member<Record>([&](auto member) { names.emplace_back(member.name); });
  return names;
}

template <class Enumeration>
std::vector<std::string> enumerator_names() {
  std::vector<std::string> names;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<Enumeration>>([&](auto value) { names.emplace_back(value.name); });
  return names;
}

}  // namespace tc::config
