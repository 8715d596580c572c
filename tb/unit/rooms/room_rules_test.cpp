// SPDX-License-Identifier: Apache-2.0
#include "room_rules.hpp"

#include <filesystem>
#include <fstream>
#include <generated_block.hpp>
#include <iterator>
#include <regex>
#include <scratch_folder.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace room_rules_test {

namespace fs = std::filesystem;

namespace {

using lines = std::vector<std::string>;

/// A library of two plain rooms, `base` and `upper` (which may include base), and `timed`, which is not plain.
class synthetic_library : public testing::Test {
 protected:
  synthetic_library() {
    write("rooms.txt", "# a comment\nbase plain\nupper plain base  # another\ntimed systemc base upper\n");
    add("base", "a.hpp", "#pragma once\n#include <vector>\n");
    add("base", "a.cpp", "#include \"a.hpp\"\n");
    add("upper", "b.hpp", "#include <tc/base/a.hpp>\n");
    add("timed", "c.hpp", "#include <systemc>\n#include <tlm>\n#include <tc/base/a.hpp>\n#include <tc/upper/b.hpp>\n");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
  }
  /// Adds a file to a room and to the room's build list.
  void add(const std::string& room, const std::string& name, const std::string& text) const {
    write(room + "/" + name, text);
    std::ofstream(folder_.path() / room / "CMakeLists.txt", std::ios::app) << "  " << name << "\n";
  }
  fs::path library() const { return folder_.path(); }
  lines violations() const { return room_violations(folder_.path()); }

 private:
  scratch_folder folder_;
};

}  // namespace

TEST(rooms, of_the_library_include_only_what_they_may) { EXPECT_EQ(room_violations(fs::path(TC_SOURCE_DIR) / "model" / "tc"), lines{}); }

/// What stands in for a unit proves that the documented protocol of its links is enough: it sees nothing of the library but that.
TEST(stand_ins, know_only_protocols_and_descriptions) {
  const std::regex include(R"(^#include ([<"])(.+)[>"])");
  const std::regex allowed(
      "tc/(config|isa|numerics)/.+|tc/links/"
      "(bank_protocol|dot_product_transfer|fragment_transfer|instruction_protocol|link_binder)\\.hpp");
  const fs::path folder = fs::path(TC_SOURCE_DIR) / "tb/unit/stand_ins";
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    ++files;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string name = match[2];
      const bool is_good = match[1] == "\"" ? fs::exists(folder / name) : name.rfind("tc/", 0) != 0 || std::regex_match(name, allowed);
      EXPECT_TRUE(is_good) << entry.path().filename() << " includes " << name;
    }
  }
  EXPECT_GT(files, 0u);
}

TEST(rooms, are_drawn_and_described_in_the_documentation) {
  const fs::path page = fs::path(TC_SOURCE_DIR) / "docs" / "architecture.md";
  std::ifstream list(fs::path(TC_SOURCE_DIR) / "model" / "tc" / "rooms.txt"), in(page);
  const room_relation relation(list);
  expect_generated(page, "rooms", room_diagram(relation));
  expect_generated(page, "sub-core rooms", room_diagram(relation, "subcore"));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const auto& [name, room] : relation.rooms()) EXPECT_NE(text.find("| `" + name + "` |"), std::string::npos) << name;
}

TEST_F(synthetic_library, is_drawn) {
  std::istringstream list("base plain\ntimed systemc base\n");
  EXPECT_EQ(room_diagram(room_relation(list)), "```mermaid\nflowchart BT\n  base[base]\n  timed([timed])\n  timed --> base\n```\n");
}

TEST_F(synthetic_library, is_clean) { EXPECT_EQ(violations(), lines{}); }

TEST_F(synthetic_library, include_of_a_room_that_is_not_allowed) {
  add("base", "up.cpp", "\n#include <tc/upper/b.hpp>\n");
  EXPECT_EQ(violations(), lines{"base/up.cpp:2: includes <tc/upper/b.hpp>, which rooms.txt does not allow base"});
}

TEST_F(synthetic_library, systemc_in_a_plain_room) {
  add("upper", "s.cpp", "  #  include <systemc.h>\n#include <tlm_utils/simple_target_socket.h> // why\n");
  EXPECT_EQ(violations(), (lines{"upper/s.cpp:1: includes <systemc.h>, but upper is plain C++",
                                 "upper/s.cpp:2: includes <tlm_utils/simple_target_socket.h>, but upper is plain C++"}));
}

TEST_F(synthetic_library, include_of_a_file_that_does_not_exist) {
  add("upper", "m.cpp", "#include <tc/base/missing.hpp>\n");
  EXPECT_EQ(violations(), lines{"upper/m.cpp:1: includes <tc/base/missing.hpp>, which does not exist"});
}

TEST_F(synthetic_library, include_of_a_file_that_is_in_no_room) {
  write("version.hpp", "");
  add("base", "v.cpp", "#include <tc/version.hpp>\n");
  EXPECT_EQ(violations(), lines{});
}

TEST_F(synthetic_library, include_in_quotes) {
  add("upper", "q.cpp", "#include \"../timed/c.hpp\"\n");
  EXPECT_EQ(violations(), lines{"upper/q.cpp:1: includes a file in quotes; write <tc/upper/...>"});
}

TEST_F(synthetic_library, source_that_does_not_begin_with_its_own_header) {
  add("base", "own.hpp", "");
  add("base", "own.cpp", "#include <vector>\n#include \"own.hpp\"\n");
  EXPECT_EQ(violations(), (lines{"base/own.cpp:1: does not begin with its own header, \"own.hpp\"",
                                 "base/own.cpp:2: includes a file in quotes; write <tc/base/...>"}));
  add("base", "own.cpp", "#include \"own.hpp\"\n#include <vector>\n");
  EXPECT_EQ(violations(), lines{});
}

TEST_F(synthetic_library, include_that_is_commented_out) {
  add("base", "comment.cpp", "// #include <tc/upper/b.hpp>\n");
  EXPECT_EQ(violations(), lines{});
}

TEST_F(synthetic_library, folder_that_is_not_listed) {
  add("attic", "x.hpp", "");
  EXPECT_EQ(violations(), lines{"attic: the folder is not listed in rooms.txt"});
}

TEST_F(synthetic_library, file_that_is_not_built) {
  write("base/deep/orphan.hpp", "");
  write("base/b.hpp", "");
  EXPECT_EQ(violations(), (lines{"base/b.hpp: is not listed in CMakeLists.txt", "base/deep/orphan.hpp: is not listed in CMakeLists.txt"}));
}

TEST_F(synthetic_library, cycle) {
  write("rooms.txt", "base systemc timed\nupper systemc base\ntimed systemc upper base\n");
  const auto found = violations();
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()).count("rooms.txt: base includes itself through other rooms"), 1U);
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()).count("rooms.txt: upper includes itself through other rooms"), 1U);
}

TEST_F(synthetic_library, relation_that_names_an_unknown_room) {
  write("rooms.txt", "base plain\nupper plain base\ntimed systemc base upper cellar\n");
  EXPECT_EQ(violations(),
            (lines{"rooms.txt: timed names cellar, which is not listed", "rooms.txt: timed may include cellar, but does not"}));
}

TEST_F(synthetic_library, room_of_no_kind) {
  write("rooms.txt", "base\nupper plain base\ntimed systemc base upper\n");
  EXPECT_EQ(violations().front(), "rooms.txt: base must be plain or systemc, not ''");
}

TEST_F(synthetic_library, plain_room_that_may_include_one_that_is_not) {
  write("rooms.txt", "base plain\nupper plain base timed\ntimed systemc base\n");
  add("upper", "d.hpp", "#include <tc/timed/c.hpp>\n");
  write("timed/c.hpp", "#include <tc/base/a.hpp>\n");
  const auto found = violations();
  EXPECT_EQ(found.front(), "rooms.txt: upper is plain C++, but may include timed, which is not");
}

TEST_F(synthetic_library, permission_that_nobody_uses) {
  write("timed/c.hpp", "#include <tc/base/a.hpp>\n");
  EXPECT_EQ(violations(), lines{"rooms.txt: timed may include upper, but does not"});
}

TEST_F(synthetic_library, room_without_a_folder) {
  write("rooms.txt", "attic plain\nbase plain\nupper plain base\ntimed systemc base upper\n");
  EXPECT_EQ(violations(), lines{"rooms.txt: attic has no folder"});
}

TEST_F(synthetic_library, rooms_in_a_room) {
  write("rooms.txt",
        "base plain\nupper plain base upper/low\nupper/low plain base\nupper/high plain upper/low\ntimed systemc base upper\n");
  add("upper", "b.hpp", "#include <tc/upper/low/l.hpp>\n#include <tc/base/a.hpp>\n");
  add("upper", "low/l.hpp", "#include <tc/base/a.hpp>\n");
  add("upper", "high/h.hpp", "#include <tc/upper/low/l.hpp>\n");
  add("timed", "d.hpp", "#include <tc/upper/high/h.hpp>\n");
  EXPECT_EQ(violations(), lines{}) << "who may use a room may use those in it";
  add("upper", "low/up.hpp", "#include <tc/upper/b.hpp>\n");
  add("upper", "high/far.hpp", "#include <tc/base/a.hpp>\n");
  EXPECT_EQ(violations(), (lines{"upper/high/far.hpp:1: includes <tc/base/a.hpp>, which rooms.txt does not allow upper/high",
                                 "upper/low/up.hpp:1: includes <tc/upper/b.hpp>, which rooms.txt does not allow upper/low"}));
  std::ifstream list(library() / "rooms.txt");
  const room_relation relation(list);
  EXPECT_EQ(room_diagram(relation, "upper"), "```mermaid\nflowchart BT\n  high[high]\n  low[low]\n  high --> low\n```\n");
  const std::string whole = room_diagram(relation);
  EXPECT_NE(whole.find("  upper --> base\n"), std::string::npos) << whole;
  EXPECT_EQ(whole.find(" low"), std::string::npos) << whole;
}

TEST_F(synthetic_library, missing_list) { EXPECT_EQ(room_violations(scratch_folder().path()), lines{"rooms.txt: cannot be read"}); }

}  // namespace room_rules_test
