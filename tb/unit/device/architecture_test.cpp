// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <generated_block.hpp>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <tuple>
#include <typeinfo>
#include <vector>

#include <boost/core/demangle.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "link_recorder.hpp"
#include "test_machine.hpp"

// The pictures of docs/architecture.md that are made from the elaborated machine.

namespace tc::device::test::architecture_test {
namespace {

const std::filesystem::path page = std::filesystem::path(TC_SOURCE_DIR) / "docs/architecture.md";

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Modules of the machine as a reader wants to see them: those of one class under one parent are one box.
class boxes {
 public:
  explicit boxes(const std::vector<recorded_link>& links) {
    for (const recorded_link& link : links)
      for (const std::string& path : {link.from, link.to}) add(path);
  }

  /// The box of a module, e.g. "register_bank".
  const std::string& of(const std::string& path) const { return box_of_.at(path); }

  /// One line for each box: its class and the modules in it.
  std::string listing() const {
    std::string text;
    for (const auto& [box, names] : modules_) {
      std::string members;
      for (const std::string& name : names) members += (members.empty() ? "" : ", ") + name;
      text += fmt::format("  {}[\"{}<br/><i>{}</i>\"]\n", box, box, members);
    }
    return text;
  }

 private:
  void add(const std::string& path) {
    if (box_of_.count(path) != 0) return;
    const sc_core::sc_object* const module = sc_core::sc_find_object(path.c_str());
    ASSERT_NE(module, nullptr) << path;
    const std::string type = boost::core::demangle(typeid(*module).name());
    const std::string box = type.substr(type.rfind(':') + 1);
    box_of_[path] = box;
    modules_[box].push_back(last_name(path));
  }

  std::map<std::string, std::string> box_of_;
  std::map<std::string, std::vector<std::string>> modules_;
};

/// Links of the first sub-core, and from it to the memories.
bool is_shown(const recorded_link& link) { return link.from.find("sub_core_0") != std::string::npos; }

TEST(architecture, shows_the_sockets_of_a_sub_core) {
  link_recorder recorder;
  run_options options;
  options.binder = &recorder;
  test_machine machine(preset("hopper"), {kernel_header(1, 1, "", "sm_90") + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n"}, options);
  std::vector<recorded_link> links;
  std::copy_if(recorder.links().begin(), recorder.links().end(), std::back_inserter(links), is_shown);
  const boxes modules(links);

  using edge = std::tuple<std::string, std::string, std::string, bool>;
  std::vector<edge> edges;
  for (const recorded_link& link : links) {
    const edge next{modules.of(link.from), modules.of(link.to), link.name, link.has_base_protocol};
    if (std::find(edges.begin(), edges.end(), next) == edges.end()) edges.push_back(next);
  }
  std::string text = "```mermaid\nflowchart LR\n" + modules.listing();
  for (const auto& [from, to, name, has_base_protocol] : edges)
    text += fmt::format("  {} {}|{}| {}\n", from, has_base_protocol ? "==>" : "-->", name, to);
  expect_generated(page, "sub-core", text + "```\n");
}

/// The calls of a run as lines of a sequence diagram.
class sequence {
 public:
  sequence(std::string instruction, sc_core::sc_time period) : instruction_(std::move(instruction)), period_(period) {}

  void note(const recorded_call& call) {
    if (call.instruction != nullptr) follows_ = call.instruction->code().text == instruction_;
    if (!follows_) return;
    std::string what = call.link.name;
    if (call.phase != "BEGIN_REQ") what += " " + call.phase;
    if (call.access != nullptr) what += fmt::format(", {} bytes", call.access->get_data_length());
    if (call.rows != nullptr) what += fmt::format(", {} registers", registers_of(*call.rows));
    if (call.b_tile != nullptr) what += fmt::format(", {} registers", call.b_tile->registers);
    if (const unsigned long arrival = arrival_of(call); arrival != cycles(call.time))
      what += fmt::format(" (arrives at {})", arrival - first(cycles(call.time)));
    const std::string line = fmt::format("  {}->>{}: {}: {}\n", last_name(call.link.from), last_name(call.link.to),
                                         cycles(call.time) - first(cycles(call.time)), what);
    text_ += line;
    ++calls_;
  }

  const std::string& text() const { return text_; }
  unsigned calls() const { return calls_; }

 private:
  unsigned long cycles(const sc_core::sc_time& time) const { return static_cast<unsigned long>(time / period_ + 0.5); }

  static unsigned registers_of(const links::bank_transfer& transfer) {
    return std::accumulate(transfer.ranges, transfer.ranges + transfer.range_count, 0U,
                           [](unsigned sum, const links::row_range& range) { return sum + range.rows; });
  }

  /// In the payload, or annotated.
  unsigned long arrival_of(const recorded_call& call) const {
    if (call.rows != nullptr) return call.rows->arrival;
    if (call.arrival != 0) return call.arrival;
    if (call.instruction != nullptr && call.link.name == "dispatch") return call.instruction->dispatch;
    if (call.instruction != nullptr && call.link.name != "issue") return call.instruction->result;
    return cycles(call.time + call.delay);
  }

  unsigned long first(unsigned long cycle) {
    if (first_ == ~0UL) first_ = cycle;
    return first_;
  }

  std::string instruction_, text_;
  sc_core::sc_time period_;
  unsigned long first_ = ~0UL;
  unsigned calls_ = 0;
  bool follows_ = false;
};

TEST(architecture, shows_the_life_of_an_instruction) {
  const std::string instruction = "HMMA.16816.F32 R12, R4, R8, R12";
  const config::machine parameters = preset("hopper");
  run_options options;
  options.period = sc_core::sc_time(1, sc_core::SC_NS);
  sequence calls(instruction, *options.period);
  link_recorder recorder([&calls](const recorded_call& call) { calls.note(call); });
  options.binder = &recorder;
  options.timing_of_preset = true;
  std::string kernel = kernel_header(1, 1, "registers 16\n", "sm_90") + cta_line(0) + warp_line(0);
  for (unsigned r = 4; r < 16; ++r) kernel += fmt::format("reg R{} 0x0\n", r);
  kernel += "/*0000*/ [B------:R-:W-:-:S02] " + instruction + "\n/*0010*/ [B------:R-:W-:-:S05] EXIT\n";
  test_machine machine(parameters, {kernel}, options);
  EXPECT_EQ(machine.run().status, accounting::run_status::finished);
  EXPECT_LE(calls.calls(), 20U) << "each transport call costs a run time";
  expect_generated(page, "life", "```mermaid\nsequenceDiagram\n" + calls.text() + "```\n");
}

}  // namespace
}  // namespace tc::device::test::architecture_test
