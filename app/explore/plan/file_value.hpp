// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/config_error.hpp>
#include <tc/config/json_document.hpp>

namespace tcsim {

/// Where a byte of a string's value stands in the JSON text: escapes take more bytes there. `place` is that of the string, or of the key
/// whose value it is; the text is known to be valid.
tc::config::text_position json_string_position(std::string_view text, tc::config::text_position place, std::size_t offset);

/// A value in a JSON file that knows where it stands; the document must outlive it. What reads it says what it expects, and throws
/// config_error with the place if it is not so.
class file_value {
 public:
  /// The whole document.
  explicit file_value(const tc::config::json_document& document) : file_value(document, document.root(), document.path()) {}

  const boost::json::value& value() const { return *value_; }
  /// In the file: `axes[1].values`.
  const std::string& path() const { return path_; }
  tc::config::text_position position() const { return document_->position_of(path_); }
  tc::config::json_document document() const { return document_->part(*value_, path_); }
  /// Another value in place of this one, such as one of those that a range stands for.
  tc::config::json_document document(const boost::json::value& instead) const { return document_->part(instead, path_); }

  bool has(std::string_view key) const;
  /// A member of an object, which must be there.
  file_value member(std::string_view key) const;
  std::optional<file_value> find(std::string_view key) const;
  /// An object without other keys than these.
  void require_keys(const std::vector<std::string>& known) const;
  /// The members of an object, in their order.
  std::vector<std::string> keys() const;
  std::vector<file_value> elements() const;
  std::string string() const;
  /// The strings of a list.
  std::vector<std::string> strings() const;
  double number() const;
  bool boolean() const;

  tc::config::config_error error(const std::string& message) const;
  /// The same within a string: at this byte of its value.
  tc::config::config_error error_within(std::string_view file_text, std::size_t offset, const std::string& message) const;

 private:
  file_value(const tc::config::json_document& document, const boost::json::value& value, std::string path);

  const boost::json::object& object() const;
  /// In messages.
  std::string name() const;

  const tc::config::json_document* document_;
  const boost::json::value* value_;
  std::string path_;
};

}  // namespace tcsim
