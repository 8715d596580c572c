// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <tc/fabric/link_tap.hpp>

#include "tapping_binder.hpp"
#include "test_machine.hpp"

// Units call each other where nobody else is on the links between them. A tap on one of several links of a kind is somebody.

namespace tc::device::test::lone_tap_test {
namespace {

template <class Protocol>
class counting_tap final : public fabric::link_tap<Protocol> {
 public:
  counting_tap(const sc_core::sc_module_name& module_name, unsigned& calls) : fabric::link_tap<Protocol>(module_name), calls_(calls) {}

 private:
  tlm::tlm_sync_enum forward(typename Protocol::tlm_payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    ++calls_;
    return fabric::link_tap<Protocol>::forward(payload, phase, delay);
  }

  unsigned& calls_;
};

/// Puts a tap on the link of a kind that goes to bank 1.
class lone_tap_binder final : public tapping_binder<lone_tap_binder> {
 public:
  explicit lone_tap_binder(std::string link) : link_(std::move(link)) {}

  unsigned calls = 0;

 private:
  friend class tapping_binder<lone_tap_binder>;

  template <class Protocol>
  std::unique_ptr<counting_tap<Protocol>> make_tap(const std::string& link, links::link_initiator<Protocol>& from,
                                                   const links::link_target<Protocol>&) {
    if (link != link_ || std::string(from.name()).find("_1") == std::string::npos) return nullptr;
    return std::make_unique<counting_tap<Protocol>>(sc_core::sc_gen_unique_name("tap"), calls);
  }

  const std::string link_;
};

class lone_tap : public testing::TestWithParam<const char*> {};

TEST_P(lone_tap, sees_what_goes_to_its_bank) {
  lone_tap_binder binder(GetParam());
  run_options options;
  options.binder = &binder;
  const std::string adds = kernel_header(1, 1) + cta_line(0) + warp_line(0) +
                           "reg R4 1\nreg R5 2\n/*0000*/ IADD3 R6, R4, R5, RZ\n/*0010*/ IADD3 R7, R4, R5, RZ\n/*0020*/ EXIT\n";
  test_machine machine(preset("turing", {"sms=1", "sm.sub_cores=1"}), {adds}, options);
  machine.run();
  EXPECT_EQ(binder.taps(), 1U);
  EXPECT_NE(binder.calls, 0U);
}

INSTANTIATE_TEST_SUITE_P(on, lone_tap, testing::Values("bank_read", "bank_write"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace tc::device::test::lone_tap_test
