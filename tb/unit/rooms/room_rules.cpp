// SPDX-License-Identifier: Apache-2.0
#include "room_rules.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>

namespace fs = std::filesystem;

room_relation::room_relation(std::istream& in) {
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, kind;
    if (!(words >> name)) continue;
    words >> kind;
    if (kind != "plain" && kind != "systemc") misread_.push_back("rooms.txt: " + name + " must be plain or systemc, not '" + kind + "'");
    rooms_[name].is_plain = kind == "plain";
    rooms_[name].allowed.insert(std::istream_iterator<std::string>(words), {});
  }
}

std::string room_relation::room_of(const fs::path& file) const {
  for (fs::path folder = file.parent_path(); !folder.empty(); folder = folder.parent_path())
    if (has(folder.generic_string())) return folder.generic_string();
  return file.begin()->generic_string();
}

std::string room_relation::permission(const std::string& from, const std::string& to) const {
  const auto found = rooms_.find(from);
  if (found == rooms_.end()) return "";
  for (fs::path place = to; !place.empty(); place = place.parent_path())
    if (found->second.allowed.count(place.generic_string()) != 0) return place.generic_string();
  return "";
}

std::vector<std::string> room_relation::problems() const {
  std::vector<std::string> problems = misread_;
  for (const auto& [name, room] : rooms_) {
    if (reaches(name, name)) problems.push_back("rooms.txt: " + name + " includes itself through other rooms");
    for (const auto& other : room.allowed) {
      if (!has(other)) problems.push_back("rooms.txt: " + name + " names " + other + ", which is not listed");
      if (room.is_plain && has(other) && !is_plain(other))
        problems.push_back("rooms.txt: " + name + " is plain C++, but may include " + other + ", which is not");
    }
  }
  return problems;
}

bool room_relation::reaches(const std::string& from, const std::string& to) const {
  std::set<std::string> reached;
  std::vector<std::string> open{from};
  while (!open.empty()) {
    const std::string room = open.back();
    open.pop_back();
    const auto found = rooms_.find(room);
    if (found == rooms_.end()) continue;
    for (const auto& next : found->second.allowed) {
      if (reached.insert(next).second) open.push_back(next);
    }
  }
  return reached.count(to) != 0;
}

namespace {

/// Checks the files of one library folder.
class room_checker {
 public:
  room_checker(fs::path library, const room_relation& relation) : library_(std::move(library)), relation_(relation) {}

  std::vector<std::string> check() {
    for (const auto& entry : fs::directory_iterator(library_)) {
      if (entry.is_directory()) check_room(entry.path());
    }
    report_unused();
    std::sort(violations_.begin(), violations_.end());
    return violations_;
  }

 private:
  void report_unused() {
    for (const auto& [name, room] : relation_.rooms()) {
      if (!fs::is_directory(library_ / name)) violations_.push_back("rooms.txt: " + name + " has no folder");
      for (const auto& other : room.allowed)
        if (used_.count({name, other}) == 0) violations_.push_back("rooms.txt: " + name + " may include " + other + ", but does not");
    }
  }

  void check_room(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (!relation_.has(name)) violations_.push_back(name + ": the folder is not listed in rooms.txt");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      const fs::path file = entry.path().lexically_relative(library_);
      if (!is_built(entry.path(), folder)) violations_.push_back(file.generic_string() + ": is not listed in CMakeLists.txt");
      check_file(entry.path(), relation_.room_of(file));
    }
  }

  /// True if the nearest build list, not above the room's own, names the file.
  static bool is_built(const fs::path& file, const fs::path& room) {
    fs::path folder = file.parent_path();
    while (folder != room && !fs::exists(folder / "CMakeLists.txt")) folder = folder.parent_path();
    const std::string name = file.lexically_relative(folder).generic_string();
    const std::regex listed("(^|\\s)" + std::regex_replace(name, std::regex("\\."), "\\.") + "($|[\\s)])");
    return std::regex_search(text_of(folder / "CMakeLists.txt"), listed);
  }

  void check_file(const fs::path& file, const std::string& room) {
    static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    const std::string own = own_header(file);
    std::ifstream in(file);
    std::size_t number = 0;
    bool first = true;
    for (std::string line; std::getline(in, line);) {
      ++number;
      std::smatch match;
      if (!std::regex_match(line, match, include)) continue;
      std::string problem;
      if (first && !own.empty()) {
        if (match[1] != "\"" || match[2] != own) problem = "does not begin with its own header, \"" + own + "\"";
      } else {
        problem = match[1] == "\"" ? "includes a file in quotes; write <tc/" + room + "/...>" : include_problem(match[2], room);
      }
      first = false;
      if (!problem.empty())
        violations_.push_back(file.lexically_relative(library_).generic_string() + ":" + std::to_string(number) + ": " + problem);
    }
  }

  /// A source begins with the header of its name, which so is known to include all that it needs. Empty: there is none.
  static std::string own_header(const fs::path& file) {
    if (file.extension() != ".cpp") return "";
    const fs::path header = fs::path(file).replace_extension(".hpp");
    return fs::exists(header) ? header.filename().string() : "";
  }

  std::string include_problem(const std::string& name, const std::string& room) {
    static const std::regex systemc("(systemc|tlm|tlm_utils/.*|sysc/.*)(\\.h)?");
    if (relation_.is_plain(room) && std::regex_match(name, systemc)) return "includes <" + name + ">, but " + room + " is plain C++";
    if (name.rfind("tc/", 0) != 0) return "";
    if (!fs::exists(library_ / name.substr(3))) return "includes <" + name + ">, which does not exist";
    const std::string other = relation_.room_of(name.substr(3));
    const bool is_in_no_room = fs::path(name).parent_path() == "tc";  // the version
    if (other == room || is_in_no_room) return "";
    const std::string permission = relation_.permission(room, other);
    if (permission.empty()) return "includes <" + name + ">, which rooms.txt does not allow " + room;
    used_.insert({room, permission});
    return "";
  }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path library_;
  const room_relation& relation_;
  std::set<std::pair<std::string, std::string>> used_;  ///< which room includes which
  std::vector<std::string> violations_;
};

}  // namespace

std::string room_diagram(const room_relation& relation, const std::string& parent) {
  // The room in the folder `parent` that a room is, or is in; empty if it is elsewhere.
  const auto box_of = [&](const std::string& name) -> std::string {
    const fs::path inside = parent.empty() ? fs::path(name) : fs::path(name).lexically_relative(parent);
    return *inside.begin() == ".." || inside == "." ? "" : inside.begin()->string();
  };
  std::string text = "```mermaid\nflowchart BT\n";
  std::set<std::pair<std::string, std::string>> arrows;
  for (const auto& [name, room] : relation.rooms()) {
    const std::string from = box_of(name);
    if (from.empty()) continue;
    if (name == (fs::path(parent) / from).generic_string())
      text += "  " + from + (room.is_plain ? "[" + from + "]" : "([" + from + "])") + "\n";
    for (const auto& other : room.allowed)
      if (const std::string to = box_of(other); !to.empty() && to != from) arrows.insert({from, to});
  }
  for (const auto& [from, to] : arrows) text += "  " + from + " --> " + to + "\n";
  return text + "```\n";
}

std::vector<std::string> room_violations(const fs::path& library) {
  std::ifstream list(library / "rooms.txt");
  if (!list) return {"rooms.txt: cannot be read"};
  const room_relation relation(list);
  auto violations = relation.problems();
  const auto in_files = room_checker(library, relation).check();
  violations.insert(violations.end(), in_files.begin(), in_files.end());
  return violations;
}
