#include "room_rules.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

room_relation::room_relation(std::istream& in) {
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string room;
    if (!(words >> room)) continue;
    allowed_[room].insert(std::istream_iterator<std::string>(words), {});
  }
}

bool room_relation::allows(const std::string& from, const std::string& to) const {
  const auto found = allowed_.find(from);
  return from == to || (found != allowed_.end() && found->second.count(to) != 0);
}

std::vector<std::string> room_relation::problems(const std::set<std::string>& plain_rooms) const {
  std::vector<std::string> problems;
  for (const auto& [room, others] : allowed_) {
    if (reaches(room, room)) problems.push_back("rooms.txt: " + room + " includes itself through other rooms");
    for (const auto& other : others) {
      if (!has(other)) problems.push_back("rooms.txt: " + room + " names " + other + ", which is not listed");
      if (plain_rooms.count(room) != 0 && plain_rooms.count(other) == 0)
        problems.push_back("rooms.txt: " + room + " is plain C++, but may include " + other + ", which is not");
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
    const auto found = allowed_.find(room);
    if (found == allowed_.end()) continue;
    for (const auto& next : found->second) {
      if (reached.insert(next).second) open.push_back(next);
    }
  }
  return reached.count(to) != 0;
}

namespace {

/// Checks the files of one library folder.
class room_checker {
 public:
  room_checker(fs::path library, const room_relation& relation, const std::set<std::string>& plain_rooms)
      : library_(std::move(library)), relation_(relation), plain_rooms_(plain_rooms) {}

  std::vector<std::string> check() {
    for (const auto& entry : fs::directory_iterator(library_)) {
      if (entry.is_directory()) check_room(entry.path());
    }
    std::sort(violations_.begin(), violations_.end());
    return violations_;
  }

 private:
  void check_room(const fs::path& folder) {
    const std::string room = folder.filename().string();
    if (!relation_.has(room)) violations_.push_back(room + ": the folder is not listed in rooms.txt");
    const std::string build_list = text_of(folder / "CMakeLists.txt");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      const std::string listed_name = entry.path().lexically_relative(folder).generic_string();
      const std::regex listed("(^|\\s)" + std::regex_replace(listed_name, std::regex("\\."), "\\.") + "($|[\\s)])");
      if (!std::regex_search(build_list, listed)) violations_.push_back(room + "/" + listed_name + ": is not listed in CMakeLists.txt");
      check_file(entry.path(), room);
    }
  }

  void check_file(const fs::path& file, const std::string& room) {
    static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    std::ifstream in(file);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      std::smatch match;
      if (!std::regex_match(line, match, include)) continue;
      const std::string problem =
          match[1] == "\"" ? "includes a file in quotes; write <tc/" + room + "/...>" : include_problem(match[2], room);
      if (!problem.empty())
        violations_.push_back(file.lexically_relative(library_).generic_string() + ":" + std::to_string(number) + ": " + problem);
    }
  }

  std::string include_problem(const std::string& name, const std::string& room) const {
    static const std::regex systemc("(systemc|tlm|tlm_utils/.*|sysc/.*)(\\.h)?");
    static const std::regex of_library("tc/([^/]+)/.+");
    if (plain_rooms_.count(room) != 0 && std::regex_match(name, systemc)) return "includes <" + name + ">, but " + room + " is plain C++";
    if (name.rfind("tc/", 0) != 0) return "";
    if (!fs::exists(library_ / name.substr(3))) return "includes <" + name + ">, which does not exist";
    std::smatch match;
    if (!std::regex_match(name, match, of_library) || !relation_.allows(room, match[1]))
      return "includes <" + name + ">, which rooms.txt does not allow " + room;
    return "";
  }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path library_;
  const room_relation& relation_;
  const std::set<std::string>& plain_rooms_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> room_violations(const fs::path& library, const std::set<std::string>& plain_rooms) {
  std::ifstream list(library / "rooms.txt");
  if (!list) return {"rooms.txt: cannot be read"};
  const room_relation relation(list);
  auto violations = relation.problems(plain_rooms);
  const auto in_files = room_checker(library, relation, plain_rooms).check();
  violations.insert(violations.end(), in_files.begin(), in_files.end());
  return violations;
}
