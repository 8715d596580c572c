// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/json_document.hpp>
#include <tc/config/parameter_type.hpp>

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
    read(type_of<T>(), &target);
  }
  void read(const parameter_type& type, void* target) const;

 private:
  using value = boost::json::value;

  void read(const value& v, const parameter_type& type, void* target, const std::string& path) const;
  void read_optional(const value& v, const optional_form& form, void* target, const std::string& path) const;
  void read_list(const value& v, const list_form& form, void* target, const std::string& path) const;
  void read_table(const value& v, const table_form& form, void* target, const std::string& path) const;
  void read_record(const value& v, const record_form& form, void* target, const std::string& path) const;

  // Each throws config_error if the value is of another kind or out of range.
  const boost::json::object& object(const value& v, const std::string& path) const;
  const boost::json::array& array(const value& v, const std::string& path) const;
  bool boolean(const value& v, const std::string& path) const;
  double real(const value& v, const std::string& path) const;
  std::int64_t signed_integer(const value& v, std::int64_t least, std::int64_t most, const std::string& path) const;
  std::uint64_t unsigned_integer(const value& v, std::uint64_t most, const std::string& path) const;
  std::string string(const value& v, const std::string& expected, const std::string& path) const;
  std::string one_of(const std::vector<std::string>& names, const value& v, const std::string& path) const;

  /// Throws config_error for the parameter at `path` unless `word`, which stands at `place`, is among `names`.
  void require_known(std::string_view what, std::string_view word, const std::vector<std::string>& names, const std::string& path,
                     const std::string& place) const;
  [[noreturn]] void fail(const std::string& path, const std::string& message) const;

  const json_document& document_;
};

}  // namespace tc::config
