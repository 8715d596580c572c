#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

/// The rooms of the library and which may include which, as rooms.txt lists them.
class room_relation {
 public:
  /// Reads lines `room other_room...`; '#' begins a comment.
  explicit room_relation(std::istream& in);

  bool has(const std::string& room) const { return allowed_.count(room) != 0; }
  /// True if a file of `from` may include a file of `to`.
  bool allows(const std::string& from, const std::string& to) const;

  /// What is wrong with the relation itself: a room that is not listed, a cycle, or a plain room that may include one that is not.
  std::vector<std::string> problems(const std::set<std::string>& plain_rooms) const;

 private:
  /// True if `to` can be reached from `from` in one step or more.
  bool reaches(const std::string& from, const std::string& to) const;

  std::map<std::string, std::set<std::string>> allowed_;
};

/// Everything in the folder `library` (the one that holds rooms.txt and a folder for each room) that breaks the rules of rooms, one line
/// each, beginning with the file and line. `plain_rooms` are those that must not include SystemC.
std::vector<std::string> room_violations(const std::filesystem::path& library, const std::set<std::string>& plain_rooms);
