// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gtest/gtest.h>

#include "stream_recording.hpp"
#include "wgmma_batch.hpp"

namespace h200_wgmma_test {

namespace {

using namespace tc;
using silicon::wgmma_batch;
using silicon::wgmma_row;

class h200_wgmma : public testing::TestWithParam<wgmma_row> {};

TEST_P(h200_wgmma, takes_the_cycles_of_the_gpu) {
  const auto cycles = static_cast<long>(silicon::cycles_of(GetParam().batch));
  RecordProperty("model_cycles", static_cast<int>(cycles));
  EXPECT_LE(std::abs(cycles - GetParam().cycles), 2) << GetParam().batch << ": " << cycles;
}

INSTANTIATE_TEST_SUITE_P(recorded, h200_wgmma, testing::ValuesIn(silicon::wgmma_rows(silicon::timing_folder())));

/// What twelve more instructions of a batch take: batches of 16 against batches of 4, recorded on an H200 with a frame of instructions of
/// its own, and read to two cycles.
struct twelve_more {
  wgmma_batch batch;
  long cycles;
};

class h200_wgmma_interval : public testing::TestWithParam<twelve_more> {};

TEST_P(h200_wgmma_interval, is_that_of_the_gpu) {
  const auto cycles = [](unsigned length) {
    wgmma_batch batch = GetParam().batch;
    batch.length = length;
    return silicon::in_child([batch] { return std::vector<long>{static_cast<long>(silicon::cycles_of(batch))}; }).at(0);
  };
  const long more = cycles(16) - cycles(4);
  EXPECT_LE(std::abs(more - GetParam().cycles), 2) << GetParam().batch << ": " << more;
}

twelve_more in_shared_memory(unsigned n, long cycles) { return {{n, "f32.f16.f16", false}, cycles}; }
twelve_more in_registers(unsigned n, long cycles) { return {{n, "f32.f16.f16", true}, cycles}; }

INSTANTIATE_TEST_SUITE_P(recorded, h200_wgmma_interval,
                         testing::Values(in_shared_memory(16, 238), in_shared_memory(24, 262), in_shared_memory(40, 312),
                                         in_shared_memory(56, 360), in_shared_memory(64, 384), in_shared_memory(72, 430),
                                         in_shared_memory(96, 576), in_shared_memory(160, 960), in_shared_memory(256, 1536),
                                         in_registers(16, 204), in_registers(24, 204), in_registers(32, 240), in_registers(40, 288),
                                         in_registers(64, 432), in_registers(96, 624), in_registers(256, 1584)));

/// Multiply-accumulates of the SM in a cycle, in a long stream with the largest N.
struct peak {
  const char* types;
  double rate;
};

class wgmma_peak : public testing::TestWithParam<peak> {};

TEST_P(wgmma_peak, is_reached) {
  wgmma_batch batch{256, GetParam().types, false, 64};
  const double products = 64.0 * batch.n * k_of(batch) * batch.length;
  EXPECT_NEAR(products / static_cast<double>(silicon::cycles_of(batch)), GetParam().rate, 0.02 * GetParam().rate);
}

INSTANTIATE_TEST_SUITE_P(published, wgmma_peak,
                         testing::Values(peak{"f32.f16.f16", 2048}, peak{"f32.bf16.bf16", 2048}, peak{"f32.tf32.tf32", 1024},
                                         peak{"f32.e4m3.e4m3", 4096}, peak{"s32.s8.s8", 4096}));

TEST(wgmma_stream, of_two_warpgroups_shares_shared_memory) {
  // recorded on an H200: 430 cycles for 2 x 12 more instructions of m64n8k16
  const auto cycles = [](unsigned length) {
    return silicon::in_child([length] {
             return std::vector<long>{static_cast<long>(silicon::cycles_of({8, "f32.f16.f16", false, length, 2}))};
           })
        .at(0);
  };
  EXPECT_LE(std::abs(cycles(16) - cycles(4) - 430), 0.03 * 430);
}

}  // namespace

}  // namespace h200_wgmma_test
