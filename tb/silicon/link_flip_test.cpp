// SPDX-License-Identifier: Apache-2.0
#include <subcore/tensor_links.hpp>

#include <gtest/gtest.h>

#include <tc/device/gpu.hpp>

#include "recorded_run.hpp"

namespace link_flip_test {

namespace {

using namespace tc;

/// A bit flipped on every transaction of one kind of link.
struct flipped_link {
  std::string link;
  enum class place {
    memory_request,
    memory_answer,
    bank_write,
    bank_read,
    tile,
    tile_answer,
    operand,
    result,
    fragment_a,
    fragment_c,
    sum,
    fragment_d
  } where;
};

std::ostream& operator<<(std::ostream& out, const flipped_link& f) { return out << f.link; }

std::string name_of(const flipped_link& f) {
  if (f.link.empty()) return "nothing";
  if (f.where == flipped_link::place::fragment_a) return f.link + "_a";
  if (f.where == flipped_link::place::fragment_c) return f.link + "_c";
  return f.link + (f.where == flipped_link::place::fragment_d ? "_d" : "");
}

class bit_flip : public testing::TestWithParam<flipped_link> {};

void flip_byte(tlm::tlm_generic_payload& payload) { payload.get_data_ptr()[0] ^= 1; }

bool flip_fragments(subcore::test::interposing_binder& binder, const std::string& name, void (*flip)(links::fragment_transfer&)) {
  for (auto& link : binder.fragment_links[name]) (flip == subcore::test::flip_d ? link->on_the_way_back : link->on_the_way) = flip;
  return !binder.fragment_links[name].empty();
}

/// True if the binder has links of that name.
bool flip(subcore::test::interposing_binder& binder, const flipped_link& f) {
  using place = flipped_link::place;
  switch (f.where) {
    case place::memory_request:
      for (auto& link : binder.memory_links[f.link])
        link->on_the_way = [](auto& payload) {
          if (payload.is_write()) flip_byte(payload);
        };
      return !binder.memory_links[f.link].empty();
    case place::memory_answer:
      for (auto& link : binder.memory_links[f.link])
        link->on_the_way_back = [](auto& payload) {
          if (payload.is_read()) flip_byte(payload);
        };
      return !binder.memory_links[f.link].empty();
    case place::bank_write:
      for (auto& link : binder.bank_links[f.link]) link->on_the_way = subcore::test::flip_written;
      return !binder.bank_links[f.link].empty();
    case place::bank_read:
      for (auto& link : binder.bank_links[f.link]) link->on_the_way_back = subcore::test::flip_read;
      return !binder.bank_links[f.link].empty();
    case place::tile:
      for (auto& link : binder.b_tile_links[f.link]) link->on_the_way = [](links::b_tile_transfer& tile) { subcore::test::flip(tile); };
      return !binder.b_tile_links[f.link].empty();
    case place::tile_answer:
      for (auto& link : binder.b_tile_links[f.link])
        link->on_the_way_back = [](links::b_tile_transfer& tile) { subcore::test::flip(tile); };
      return !binder.b_tile_links[f.link].empty();
    case place::operand:
      for (auto& link : binder.instruction_links[f.link])
        link->on_the_way = [](links::warp_instruction& instruction) {
          if (isa::is_mma(instruction.code().op)) instruction.operand_registers[instruction.sources[0].position[0]][0] ^= 1;
        };
      return !binder.instruction_links[f.link].empty();
    case place::result:
      for (auto& link : binder.instruction_links[f.link])
        link->on_the_way = [](links::warp_instruction& instruction) {
          if (isa::is_mma(instruction.code().op)) instruction.result_registers[0][0] ^= 1;
        };
      return !binder.instruction_links[f.link].empty();
    case place::fragment_a:
      return flip_fragments(binder, f.link, subcore::test::flip_a);
    case place::fragment_c:
      return flip_fragments(binder, f.link, subcore::test::flip_c);
    case place::fragment_d:
      return flip_fragments(binder, f.link, subcore::test::flip_d);
    case place::sum:
      for (auto& link : binder.dot_product_links[f.link])
        link->on_the_way_back = [](links::dot_product_transfer& sums) { subcore::test::flip(sums); };
      return !binder.dot_product_links[f.link].empty();
  }
  return false;
}

/// The bits of the kernel travel over every link of the sub-core: whichever is disturbed, the result is not what the GPU stored.
TEST_P(bit_flip, changes_the_result) {
  const auto trace = trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces/sm_75.micro_s8_s32_m16n16k16/kernel.trace");
  subcore::test::interposing_binder binder;
  auto options = silicon::preset_options();
  options.binder = &binder;
  device::gpu gpu("gpu", silicon::machine_of("turing"), {{"trace", &trace}}, options);
  ASSERT_TRUE(GetParam().link.empty() || flip(binder, GetParam())) << "no link of that name";
  const auto result = gpu.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches() > 0, !GetParam().link.empty());
}

using place = flipped_link::place;
INSTANTIATE_TEST_SUITE_P(on, bit_flip,
                         testing::Values(flipped_link{"", place::result}, flipped_link{"bank_read", place::bank_read},
                                         flipped_link{"bank_write", place::bank_write}, flipped_link{"dispatch", place::operand},
                                         flipped_link{"b_fill", place::tile}, flipped_link{"b_read", place::tile_answer},
                                         flipped_link{"fragments", place::fragment_a}, flipped_link{"fragments", place::fragment_c},
                                         flipped_link{"dot_products", place::sum}, flipped_link{"fragments", place::fragment_d},
                                         flipped_link{"result", place::result}),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace

}  // namespace link_flip_test
