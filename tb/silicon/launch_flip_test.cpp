// SPDX-License-Identifier: Apache-2.0
#include <device/tapping_binder.hpp>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <subcore/tensor_links.hpp>
#include <vector>

#include <gtest/gtest.h>

#include <tc/device/gpu.hpp>
#include <tc/execution/timed_launch.hpp>
#include <tc/fabric/link_tap.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>

#include "recorded_run.hpp"

// A launch that is executed while the machine runs it: the machine's values pass through its units. A fault on any link on their way makes
// its memory differ from what was recorded, and leaves the execution as it is.

namespace launch_flip_test {
namespace {

using namespace tc;

/// What is flipped in a payload, and whether on its way or on the way back.
bool flips_on_the_way(const std::string& link) {
  return link == "bank_write" || link == "b_fill" || link == "fragments" || link == "result";
}

void flip_value(tlm::tlm_generic_payload& payload) { subcore::test::flip(payload); }
void flip_value(links::warp_instruction& instruction) {
  if (isa::is_mma(instruction.code().op)) subcore::test::flip(instruction);
}
void flip_value(links::bank_transfer& transfer) {
  transfer.found != nullptr ? subcore::test::flip_read(transfer) : subcore::test::flip_written(transfer);
}
void flip_value(links::b_tile_transfer& tile) { subcore::test::flip(tile); }
void flip_value(links::fragment_transfer& fragments) { subcore::test::flip_a(fragments); }
void flip_value(links::dot_product_transfer& sums) { subcore::test::flip(sums); }
void flip_value(links::shared_memory_transfer& transfer) {
  if (transfer.what == links::shared_memory_transfer::kind::access && !transfer.is_write && transfer.runs_begin != transfer.runs_end)
    transfer.buffer[transfer.runs_begin->offset] ^= 1;
}
template <class Payload>
void flip_value(Payload&) {}

template <class Protocol>
class flipping_tap final : public fabric::link_tap<Protocol> {
 public:
  flipping_tap(const sc_core::sc_module_name& module_name, bool on_the_way, unsigned& flips)
      : fabric::link_tap<Protocol>(module_name), on_the_way_(on_the_way), flips_(flips) {}

 private:
  tlm::tlm_sync_enum forward(typename Protocol::tlm_payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    ++flips_;
    if (on_the_way_) flip_value(payload);
    const tlm::tlm_sync_enum status = fabric::link_tap<Protocol>::forward(payload, phase, delay);
    if (!on_the_way_) flip_value(payload);
    return status;
  }

  const bool on_the_way_;
  unsigned& flips_;
};

class flipping_binder final : public device::test::tapping_binder<flipping_binder> {
 public:
  explicit flipping_binder(std::string link) : link_(std::move(link)) {}
  unsigned flips() const { return flips_; }

 private:
  friend class device::test::tapping_binder<flipping_binder>;

  template <class Protocol>
  std::unique_ptr<flipping_tap<Protocol>> make_tap(const char* link, const links::link_initiator<Protocol>&,
                                                   const links::link_target<Protocol>&) {
    if (link != link_) return nullptr;
    return std::make_unique<flipping_tap<Protocol>>(sc_core::sc_gen_unique_name("tap"), flips_on_the_way(link_), flips_);
  }

  const std::string link_;
  unsigned flips_ = 0;
};

class launch_flip : public testing::TestWithParam<const char*> {};

TEST_P(launch_flip, reaches_the_machines_memory_and_not_the_executions) {
  const std::string link = GetParam();
  launches::launch launch = launches::read_launch(std::filesystem::path(TC_SOURCE_DIR) / "launches/wmma_shared.128");
  const listings::sass_kernel kernel = launches::read_launch_code(launch).kernel;
  const config::machine hopper = silicon::machine_of("hopper");
  const execution::timed_launch timed(std::move(launch), kernel, hopper, true);
  flipping_binder binder(link);
  device::run_options options = silicon::preset_options();
  options.binder = &binder;
  device::gpu gpu("gpu", hopper, {{"launch", &timed.trace()}}, options);
  const accounting::run_result result = gpu.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(binder.flips() > 0, link != "none");
  EXPECT_EQ(result.mismatches() + result.undefined_bytes() > 0, link != "none");
  const auto compared = timed.compare_last_run();
  ASSERT_TRUE(compared);
  EXPECT_TRUE(compared->is_exact());
}

INSTANTIATE_TEST_SUITE_P(on, launch_flip,
                         testing::Values("none", "bank_read", "bank_write", "b_fill", "fragments", "dot_products", "result",
                                         "shared_memory"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace launch_flip_test
