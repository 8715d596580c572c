// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include <tc/config/config_error.hpp>

namespace tc::config {

/// Second pass over a JSON text that the parser has accepted as `root`: finds what the parser does not tell. Returns the place of every
/// member (its key) and list element, by path, starting with `path` for the root. Replaces each double in `root` by the correctly rounded
/// one. Throws config_error for a duplicate key and for a number too large for a double.
std::map<std::string, text_position> outline_json(std::string_view text, boost::json::value& root, const std::string& source,
                                                  const std::string& path);

/// Line and column of an offset into a text.
text_position position_at(std::string_view text, std::size_t offset);

/// A JSON text that was parsed, with the place of every key in it. Comments and trailing commas are allowed; duplicate keys and numbers
/// too large for a double are errors. Doubles are rounded correctly (the parser of Boost 1.81 is off by an ulp for some long numbers).
class json_document {
 public:
  /// A file has no more; text is nested no deeper.
  static constexpr std::size_t max_file_bytes = std::size_t{1} << 24, max_depth = 32;

  /// Places of keys and list elements, by path.
  using position_map = std::map<std::string, text_position>;

  /// Parses `text`. `source` names it in messages; its root stands at `path` of the configuration. Throws config_error.
  static json_document parse(std::string_view text, std::string source, std::string path = "");

  /// The value alone, of a text that a program wrote: duplicate keys are not looked for, and nothing knows places. Throws config_error.
  static boost::json::value value_of(std::string_view text, const std::string& source);

  /// The text of a file of up to max_file_bytes. Throws config_error.
  static std::string read(const std::filesystem::path& file);

  /// Reads and parses a file. Throws config_error.
  static json_document load(const std::filesystem::path& file);

  /// A document that holds one string.
  static json_document of_word(std::string_view word, std::string source, std::string path);

  /// A value of this document, which stands at `path` in it, as a document of its own: messages name the same source and places.
  json_document part(const boost::json::value& value, const std::string& path) const;

  /// The same value as what stands at `path` of something else, a parameter that it is to set, say: messages name that path, and the
  /// places in this document.
  json_document standing_at(const std::string& path) const;

  const boost::json::value& root() const { return root_; }
  const std::string& source() const { return source_; }
  const std::string& path() const { return path_; }
  const position_map& positions() const { return positions_; }

  /// Place of the key or list element at `path`; line 0 if the document does not have it.
  text_position position_of(const std::string& path) const;

  /// Removes a key of the root object and returns its value; null if the root has no such key.
  boost::json::value take(std::string_view key);

 private:
  json_document(boost::json::value root, std::string source, std::string path);

  boost::json::value root_;
  std::string source_;
  std::string path_;
  position_map positions_;
};

}  // namespace tc::config
