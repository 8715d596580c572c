// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/accounting/statistics_document.hpp>
#include <tc/fabric/link_tap.hpp>

#include "run_apart.hpp"
#include "tapping_binder.hpp"
#include "test_machine.hpp"
#include "victim_kernels.hpp"

// Every link of a machine is used in every run: a tap that lets one transaction of it disappear changes what the run says, or stops it.

namespace tc::device::test::dropped_transaction_test {
namespace {

/// What only announces an access, or tells that bytes begin a new life, may get lost without a trace.
bool is_notice(const links::shared_memory_transfer&, const tlm::tlm_phase& phase) { return phase == links::ACCESS_ANNOUNCED; }
bool is_notice(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase&) { return payload.get_command() == tlm::TLM_IGNORE_COMMAND; }
template <class Payload>
bool is_notice(const Payload&, const tlm::tlm_phase&) {
  return false;
}

/// Counts the calls on links of a kind, and lets one of them disappear.
struct watch {
  std::string link;
  std::optional<unsigned> dropped;  ///< the number of the call; absent: none
  unsigned calls = 0;

  bool drops() { return calls++ == dropped; }
};

template <class Protocol>
class dropping_tap final : public fabric::link_tap<Protocol> {
 public:
  dropping_tap(const sc_core::sc_module_name& module_name, watch& watched) : fabric::link_tap<Protocol>(module_name), watched_(watched) {}

 private:
  tlm::tlm_sync_enum forward(typename Protocol::tlm_payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return !is_notice(payload, phase) && watched_.drops() ? tlm::TLM_COMPLETED : fabric::link_tap<Protocol>::forward(payload, phase, delay);
  }

  watch& watched_;
};

class dropping_binder final : public tapping_binder<dropping_binder> {
 public:
  explicit dropping_binder(watch& watched) : watched_(watched) {}

 private:
  friend class tapping_binder<dropping_binder>;

  template <class Protocol>
  std::unique_ptr<dropping_tap<Protocol>> make_tap(const char* link, const links::link_initiator<Protocol>&,
                                                   const links::link_target<Protocol>&) {
    if (link != watched_.link) return nullptr;
    return std::make_unique<dropping_tap<Protocol>>(sc_core::sc_gen_unique_name("tap"), watched_);
  }

  watch& watched_;
};

/// A link of a machine that a kernel uses.
struct used_link {
  const char* link;
  const char* machine;
  std::string (*kernel)();

  friend std::ostream& operator<<(std::ostream& out, const used_link& used) { return out << used.link << " of " << used.machine; }
};

/// What a run says, and how many calls there were. With an error it says nothing.
struct outcome {
  unsigned calls = 0;
  std::string document;
};

outcome outcome_of(const used_link& used, std::optional<unsigned> dropped) {
  watch watched{used.link, dropped};
  dropping_binder binder(watched);
  run_options options;
  options.binder = &binder;
  const config::machine parameters = preset(used.machine);
  std::string document;
  try {
    test_machine machine(parameters, {used.kernel()}, options);
    document = boost::json::serialize(accounting::statistics_document(machine.run(), parameters, {"", 0}));
  } catch (const std::exception&) {
  }
  return {watched.calls, document};
}

/// The same in a process of its own, which may end as it likes.
outcome outcome_apart(const used_link& used, std::optional<unsigned> dropped) {
  const std::string text = run_apart([&] {
    const outcome told = outcome_of(used, dropped);
    return std::to_string(told.calls) + "\n" + told.document;
  });
  const std::size_t line = text.find('\n');
  if (line == std::string::npos) return {};
  return {static_cast<unsigned>(std::stoul(text)), text.substr(line + 1)};
}

class dropped_transaction : public testing::TestWithParam<used_link> {};

TEST_P(dropped_transaction, is_missed) {
  const outcome whole = outcome_apart(GetParam(), std::nullopt);
  ASSERT_GT(whole.calls, 0U) << "the kernel does not use the link";
  ASSERT_NE(whole.document, "") << "the kernel does not finish";
  for (const unsigned number : {0U, whole.calls / 2, whole.calls - 1})
    EXPECT_FALSE(outcome_apart(GetParam(), number).document == whole.document) << "call " << number << " of " << whole.calls;
}

std::vector<used_link> used_links() {
  std::vector<used_link> all;
  for (const char* link : {"issue", "bank_read", "bank_write", "dispatch", "result", "retire", "fragments", "b_fill", "b_read",
                           "dot_products", "shared_memory", "global_memory"})
    all.push_back({link, "turing", victims::register_kernel});
  for (const char* link :
       {"accumulator", "dot_products", "warpgroup_request", "warpgroup_operands", "barrier", "bulk_copy", "shared_memory", "global_memory"})
    all.push_back({link, "hopper", victims::warpgroup_kernel});
  for (const char* link : {"accumulator", "tensor_memory", "tensor_request", "tensor_allocation", "barrier"})
    all.push_back({link, "blackwell", victims::tensor_kernel});
  return all;
}

INSTANTIATE_TEST_SUITE_P(on, dropped_transaction, testing::ValuesIn(used_links()),
                         [](const auto& test) { return std::string(test.param.machine) + "_" + test.param.link; });

}  // namespace
}  // namespace tc::device::test::dropped_transaction_test
