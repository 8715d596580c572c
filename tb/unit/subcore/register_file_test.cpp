// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/subcore/operands/register_file.hpp>

namespace register_file_test {

// Whose banks may be called instead of sent transactions.

namespace {

using namespace tc;
using subcore::register_bank;
using subcore::register_file;

/// A register file with somebody on its read links; its other links nobody uses.
class file_bench final : public sc_core::sc_module {
 public:
  explicit file_bench(const sc_core::sc_module_name& module_name, const links::unit_source& units = {}, bool monitors_last = false)
      : sc_module(module_name), clock("clock", sc_core::sc_time(1, sc_core::SC_NS)), file("file", register_file::params{}, units, clock) {
    readers.init(file.banks(),
                 [](const char* name, std::size_t) { return new fabric::base_protocol_initiator(name, [](auto&, const auto&) {}); });
    for (unsigned bank = 0; bank < file.banks(); ++bank) {
      if (monitors_last && bank + 1 == file.banks()) {
        monitor = std::make_unique<fabric::base_protocol_monitor<>>("monitor");
        readers[bank].bind(monitor->target);
        monitor->initiator.bind(file.read(bank));
      } else {
        readers[bank].bind(file.read(bank));
      }
    }
  }

  std::vector<register_bank*> direct_readers() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return file.direct_banks(readers, &register_bank::read);
  }

  fabric::clock_domain clock;
  register_file file;
  sc_core::sc_vector<fabric::base_protocol_initiator> readers{"readers"};
  std::unique_ptr<fabric::base_protocol_monitor<>> monitor;
};

TEST(register_file, says_which_banks_may_be_called) {
  file_bench bench("bench");
  const std::vector<register_bank*> banks = bench.direct_readers();
  ASSERT_EQ(banks.size(), bench.file.banks());
  for (unsigned bank = 0; bank < banks.size(); ++bank) EXPECT_EQ(&bench.file.read(bank), &banks[bank]->read);
}

TEST(register_file, has_no_banks_to_call_if_somebody_is_on_the_link_of_one) {
  file_bench bench("bench", {}, true);
  EXPECT_TRUE(bench.direct_readers().empty());
}

TEST(register_file, has_no_banks_to_call_if_they_are_a_users) {
  links::unit_source units;
  units.makers.register_bank = [](const char* name, const links::register_bank_site& site) {
    register_bank::params bank;
    bank.rows = site.rows;
    auto users = std::make_unique<register_bank>(name, bank, site.clock);
    std::vector<register_file::link*> links{&users->read, &users->write};
    return links::made_memory{std::move(users), std::move(links)};
  };
  file_bench bench("bench", units);
  EXPECT_TRUE(bench.direct_readers().empty());
}

}  // namespace

}  // namespace register_file_test
