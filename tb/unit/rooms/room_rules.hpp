// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

/// A room of the library: a folder whose files include only what they may. Its name is the folder's path in the library, e.g. "fabric" or
/// "subcore/tensor". A folder that is not listed belongs to the room around it.
struct room {
  bool is_plain = false;          ///< must not include SystemC
  std::set<std::string> allowed;  ///< rooms whose files it may include
};

/// The rooms of the library and which may include which, as rooms.txt lists them.
class room_relation {
 public:
  /// Reads lines `room plain|systemc other_room...`; '#' begins a comment.
  explicit room_relation(std::istream& in);

  const std::map<std::string, room>& rooms() const { return rooms_; }
  bool has(const std::string& name) const { return rooms_.count(name) != 0; }
  bool is_plain(const std::string& name) const { return has(name) && rooms_.at(name).is_plain; }
  /// The room of a file, whose path is that in the library.
  std::string room_of(const std::filesystem::path& file) const;
  /// What lets a file of `from` include one of another room: that room, or one around it. Empty if nothing does.
  std::string permission(const std::string& from, const std::string& to) const;

  /// What is wrong with the relation itself: a room that is neither plain nor systemc, or not listed, a cycle, a plain room that may
  /// include one that is not.
  std::vector<std::string> problems() const;

 private:
  /// True if `to` can be reached from `from` in one step or more.
  bool reaches(const std::string& from, const std::string& to) const;

  std::map<std::string, room> rooms_;
  std::vector<std::string> misread_;
};

/// The rooms in one folder of the library as a Mermaid flow chart: an arrow for each room that another, or one in it, may include; rooms
/// with SystemC in them are drawn round.
std::string room_diagram(const room_relation& relation, const std::string& parent = "");

/// Everything in the folder `library` (the one that holds rooms.txt and a folder for each room) that breaks the rules of rooms, one line
/// each, beginning with the file and line.
std::vector<std::string> room_violations(const std::filesystem::path& library);
