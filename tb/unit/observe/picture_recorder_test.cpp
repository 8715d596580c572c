// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/observe/picture_recorder.hpp>

namespace tc::observe::picture_recorder_test {
namespace {

using fabric::attribute_kind;
using fabric::record_type;

constexpr std::array<std::string_view, 2> causes{"wait_mask", "bank_conflict"};
constexpr std::array<std::string_view, 4> kinds{"read", "write", "shift", "clear"};

constexpr record_type instruction_type{
    "instruction", "", {{{"opcode", attribute_kind::text}, {"text", attribute_kind::text}, {"pc", attribute_kind::address}, {"line"}}}};
constexpr record_type stall_type{"stall", "", {{{"cause", attribute_kind::choice, 8, causes.data(), causes.size()}}}};
constexpr record_type resident_type{"resident", "", {{{"kernel"}, {"cta"}, {"warp"}}}};
constexpr record_type read_type{"read", "", {}};
constexpr record_type conflict_type{"conflict", "", {}};
constexpr record_type shared_type{
    "shared_access", "", {{{"kind", attribute_kind::choice, 8, kinds.data(), kinds.size()}, {"wavefronts"}, {"conflicts"}}}};
constexpr record_type tensor_type{
    "access",
    "",
    {{{"kind", attribute_kind::choice, 8, kinds.data(), kinds.size()}, {"first_lane"}, {"lanes"}, {"first_column"}, {"columns"}}}};

/// A machine that tells records, and the recorder that hears them.
class picture_recorder_test : public testing::Test {
 protected:
  void listen(picture_recorder& pictures) { source.records.bind(pictures); }
  std::uint64_t instruct(std::uint64_t begins, std::uint64_t ends, std::string_view text) {
    return source.span(instructions, begins, ends, {text.substr(0, 4), text, std::uint64_t{16}, std::uint64_t{8}});
  }
  static std::string text_of(const boost::json::value& value) { return boost::json::serialize(value); }

  fabric::clock_domain clock{"clock", 1, sc_core::SC_NS};
  fabric::recorder source{"source", clock};
  const fabric::record_stream& instructions = source.add_stream("gpu.sm_0.sub_core_0.warp_0", instruction_type);
  const fabric::record_stream& stalls = source.add_stream("gpu.sm_0.sub_core_0.warp_0", stall_type);
  const fabric::record_stream& residents = source.add_stream("gpu.sm_0.sub_core_0.warp_0", resident_type);
};

TEST_F(picture_recorder_test, keeps_of_warps_what_overlaps_the_window) {
  picture_recorder pictures({record_window::unit::cycles, 10, 20});
  listen(pictures);
  source.begin(residents, 0, {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1}});
  instruct(2, 10, "MOV R0, R1");
  instruct(5, 12, "HMMA R0, R1");
  instruct(19, 30, "MOV R0, R1");
  instruct(20, 21, "EXIT");
  source.span(stalls, 6, 11, {std::uint64_t{1}});
  source.span(stalls, 12, 12, {std::uint64_t{0}});
  const auto written = pictures.json(100);
  EXPECT_EQ(text_of(written.at("window")), R"({"first":10,"last":20,"cut_off":false})");
  EXPECT_EQ(text_of(written.at("texts")), R"(["MOV R0, R1","HMMA R0, R1","EXIT","bank_conflict","wait_mask"])");
  EXPECT_EQ(text_of(written.at("warps")),
            R"([{"path":"gpu.sm_0.sub_core_0.warp_0","resident":[[0,20,0,3,1]],"instructions":[[5,12,1,16,8],[19,30,0,16,8]],)"
            R"("stalls":[[6,11,3]]}])");
  EXPECT_FALSE(written.contains("banks") || written.contains("shared_accesses") || written.contains("tensor_memories"));
}

TEST_F(picture_recorder_test, keeps_instructions_by_number) {
  picture_recorder pictures(record_window::parse("instructions:1..2"));
  listen(pictures);
  instruct(2, 4, "A");
  instruct(5, 9, "B");
  instruct(6, 7, "C");
  const auto written = pictures.json(100);
  EXPECT_EQ(text_of(written.at("window")), R"({"first":5,"last":9,"cut_off":false})");
  EXPECT_EQ(text_of(written.at("warps").at(0).at("instructions")), "[[5,9,1,16,8]]");
}

TEST_F(picture_recorder_test, says_where_its_memory_ended) {
  picture_recorder pictures({record_window::unit::cycles, 0, 2 * warp_picture::most_records});
  listen(pictures);
  for (std::uint64_t cycle = 0; cycle <= warp_picture::most_records; ++cycle) instruct(cycle, cycle + 1, "NOP");
  const auto written = pictures.json(3 * warp_picture::most_records);
  EXPECT_EQ(written.at("warps").at(0).at("instructions").as_array().size(), warp_picture::most_records);
  EXPECT_EQ(text_of(written.at("window")), R"({"first":0,"last":100000,"cut_off":true})");
}

TEST_F(picture_recorder_test, says_where_its_memory_for_tensor_memories_ended) {
  const auto& chunk = source.add_stream("gpu.sm_0.tensor_memory.chunk_1", tensor_type);
  picture_recorder pictures({record_window::unit::cycles, 0, 2 * tensor_memory_picture::most_changes});
  listen(pictures);
  const auto change = [&](std::uint64_t cycle) {
    source.span(chunk, cycle, cycle + 1, {std::uint64_t{1}, std::uint64_t{0}, std::uint64_t{32}, std::uint64_t{8}, std::uint64_t{2}});
  };
  const auto changes_and_cut_off = [&] {
    const auto written = pictures.json(2 * tensor_memory_picture::most_changes);
    return std::pair(written.at("tensor_memories").at(0).at("changes").as_array().size(), written.at("window").at("cut_off").as_bool());
  };
  for (std::uint64_t cycle = 0; cycle < tensor_memory_picture::most_changes; ++cycle) change(cycle);
  EXPECT_EQ(changes_and_cut_off(), std::pair(tensor_memory_picture::most_changes, false));
  change(tensor_memory_picture::most_changes);
  EXPECT_EQ(changes_and_cut_off(), std::pair(tensor_memory_picture::most_changes, true));
}

TEST_F(picture_recorder_test, counts_cycles_of_banks_in_intervals_that_grow) {
  const auto& reads = source.add_stream("gpu.sm_0.sub_core_0.register_file.bank_0", read_type);
  const auto& conflicts = source.add_stream("gpu.sm_0.sub_core_0.register_file.bank_0", conflict_type);
  picture_recorder pictures;
  listen(pictures);
  source.span(reads, 6, 9, {});
  source.span(conflicts, 0, 5, {});
  EXPECT_EQ(text_of(pictures.json(9).at("banks")),
            R"({"interval":8,"banks":[{"path":"gpu.sm_0.sub_core_0.register_file.bank_0","read":[2,1],"conflict":[5,0],"write":[0,0]}]})");
  source.span(reads, 16 * bank_picture::most_intervals - 1, 16 * bank_picture::most_intervals, {});
  const auto banks = pictures.json(5000).at("banks");
  EXPECT_EQ(banks.at("interval"), 16);
  EXPECT_EQ(banks.at("banks").at(0).at("read").at(0), 3);
  EXPECT_EQ(banks.at("banks").at(0).at("read").at(255), 1);
}

TEST_F(picture_recorder_test, counts_accesses_to_shared_memory_by_wavefronts) {
  const auto& accesses = source.add_stream("gpu.sm_0.sub_core_0.load_store", shared_type);
  picture_recorder pictures;
  listen(pictures);
  for (const std::uint64_t wavefronts : {4U, 1U, 4U}) source.span(accesses, 0, 1, {std::uint64_t{0}, wavefronts, wavefronts - 1});
  EXPECT_EQ(text_of(pictures.json(1).at("shared_accesses")),
            R"([{"kind":"read","wavefronts":1,"conflicts":0,"accesses":1},{"kind":"read","wavefronts":4,"conflicts":3,"accesses":2}])");
}

TEST_F(picture_recorder_test, has_writes_and_shifts_of_tensor_memory_with_who_did_them) {
  const auto& chunk = source.add_stream("gpu.sm_0.tensor_memory.chunk_1", tensor_type);
  picture_recorder pictures({record_window::unit::cycles, 5, 50});
  listen(pictures);
  const std::uint64_t copy = instruct(0, 1, "UTCCP");
  const std::uint64_t shift = instruct(1, 2, "UTCSHIFT");
  const auto access = [&](std::uint64_t cycle, std::uint64_t kind, std::uint64_t lane, std::uint64_t lanes, std::uint64_t parent) {
    source.span(chunk, cycle, cycle + 1, {kind, lane, lanes, std::uint64_t{8}, std::uint64_t{2}}, parent);
  };
  access(1, 3, 32, 32, 0);
  access(3, 1, 32, 8, copy);
  access(3, 1, 40, 24, copy);
  access(4, 0, 32, 32, copy);
  access(9, 2, 32, 32, shift);
  access(50, 1, 32, 32, copy);
  const auto written = pictures.json(100);
  EXPECT_EQ(text_of(written.at("tensor_memories")),
            R"([{"path":"gpu.sm_0.tensor_memory","changes":[[1,2,32,32,8,2,2],[3,0,32,32,8,2,0],[9,1,32,32,8,2,1]]}])")
      << "pieces of a write are put together, and what is older than the window is kept";
  EXPECT_EQ(text_of(written.at("texts")), R"(["UTCCP","UTCSHIFT",""])");
}

}  // namespace
}  // namespace tc::observe::picture_recorder_test
