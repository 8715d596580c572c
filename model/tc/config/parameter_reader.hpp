// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/json_document.hpp>
#include <tc/config/parameter_kinds.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/spelling.hpp>

namespace tc::config {

/// Reads a document into parameters that hold their defaults, or the values of an earlier document: members that the document does not
/// name keep their value, table entries are added or updated, lists are replaced. Unknown keys and mistyped values throw config_error.
/// Ranges and rules between members are not tested here but by validate_tree.
class parameter_reader {
 public:
  explicit parameter_reader(const json_document& document) : document_(document) {}

  /// `target` is the parameter at the path of the document.
  template <class T>
  void read(T& target) const {
    read(document_.root(), target, document_.path());
  }

 private:
  using value = boost::json::value;

  template <class T>
  void read(const value& v, T& target, const std::string& path) const {
    if constexpr (is_optional_v<T>) {
      if (v.is_null()) return target.reset();
      if (!target) target.emplace();
      read(v, *target, path);
    } else if constexpr (is_record_v<T>) {
      read_record(v, target, path);
    } else if constexpr (is_enumeration_v<T>) {
      read_enumeration(v, target, path);
    } else if constexpr (is_list_v<T>) {
      read_list(v, target, path);
    } else if constexpr (is_table_v<T>) {
      for (const auto& entry : object(v, path)) read(entry.value(), target[std::string(entry.key())], member_path(path, entry.key()));
    } else {
      static_assert(is_scalar_v<T>, "not a kind of parameter: see parameter_kinds.hpp");
      read_scalar(v, target, path);
    }
  }

  template <class T>
  void read_record(const value& v, T& target, const std::string& path) const {
    const auto& members = object(v, path);
    const auto names = member_names<T>();
    for (const auto& entry : members) require_known("key", entry.key(), names, path, member_path(path, entry.key()));
    for_each_member<T>([&](auto member) {
      if (const auto* found = members.if_contains(member.name)) read(*found, target.*member.pointer, member_path(path, member.name));
    });
  }

  template <class T>
  void read_enumeration(const value& v, T& target, const std::string& path) const {
    const auto names = enumerator_names<T>();
    const auto word = string(v, "one of " + joined(names), path);
    require_known("value", word, names, path, path);
    boost::describe::enum_from_string(word.c_str(), target);
  }

  template <class T>
  void read_list(const value& v, T& target, const std::string& path) const {
    const auto& elements = array(v, path);
    if constexpr (is_vector_v<T>) {
      target.assign(elements.size(), typename T::value_type{});
    } else if (elements.size() != target.size()) {
      fail(path, "expected " + std::to_string(target.size()) + " elements, got " + std::to_string(elements.size()));
    }
    for (std::size_t i = 0; i < elements.size(); ++i) read(elements[i], target[i], element_path(path, i));
  }

  template <class T>
  void read_scalar(const value& v, T& target, const std::string& path) const {
    if constexpr (std::is_same_v<T, bool>) {
      target = boolean(v, path);
    } else if constexpr (std::is_same_v<T, double>) {
      target = real(v, path);
    } else if constexpr (std::is_same_v<T, std::string>) {
      target = string(v, "a string", path);
    } else if constexpr (std::is_signed_v<T>) {
      target = static_cast<T>(signed_integer(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), path));
    } else {
      target = static_cast<T>(unsigned_integer(v, std::numeric_limits<T>::max(), path));
    }
  }

  // Each throws config_error if the value is of another kind or out of range.
  const boost::json::object& object(const value& v, const std::string& path) const;
  const boost::json::array& array(const value& v, const std::string& path) const;
  bool boolean(const value& v, const std::string& path) const;
  double real(const value& v, const std::string& path) const;
  std::int64_t signed_integer(const value& v, std::int64_t least, std::int64_t most, const std::string& path) const;
  std::uint64_t unsigned_integer(const value& v, std::uint64_t most, const std::string& path) const;
  std::string string(const value& v, const std::string& expected, const std::string& path) const;

  /// Throws config_error for the parameter at `path` unless `word`, which stands at `place`, is among `names`.
  void require_known(std::string_view what, std::string_view word, const std::vector<std::string>& names, const std::string& path,
                     const std::string& place) const;
  [[noreturn]] void fail(const std::string& path, const std::string& message) const;

  const json_document& document_;
};

}  // namespace tc::config
