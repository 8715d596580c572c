// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/recorder.hpp>

#include "device/test_machine.hpp"

namespace toy_record_test {

// Records of one's own: this file is all there is of them. Whoever listens to the machine's recorder gets them with all others.

namespace {

using namespace tc;

constexpr fabric::record_type way_type{
    "way", "A matrix instruction, from its operands to its result", {{{"registers", fabric::attribute_kind::number, 4}}}, 4};

/// Sits on the link between an operand fetch and a unit, and tells of matrix instructions that pass.
class way_teller final : public sc_core::sc_module {
 public:
  links::instruction_target<way_teller> target{"target"};
  links::instruction_initiator<way_teller> initiator{"initiator"};

  explicit way_teller(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    target.register_nb_transport_fw(this, &way_teller::passed);
  }
  ~way_teller() override = default;

  /// Before simulation starts.
  void tell(fabric::recorder& records) {
    records_ = &records;
    stream_ = &records.add_stream(name(), way_type);
  }

 private:
  tlm::tlm_sync_enum passed(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const bool announces = phase == tlm::BEGIN_REQ && isa::is_mma(instruction.code().op);
    const tlm::tlm_sync_enum answer = initiator->nb_transport_fw(instruction, phase, delay);
    if (announces && records_ != nullptr)
      records_->span(*stream_, instruction.dispatch, instruction.result, {std::uint64_t{instruction.code().destinations[0].count}},
                     instruction.record);
    return answer;
  }

  fabric::recorder* records_ = nullptr;
  const fabric::record_stream* stream_ = nullptr;
};

class way_binder final : public links::link_binder {
 public:
  using link_binder::bind;
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override {
    if (std::string(link) != "dispatch") return link_binder::bind(link, from, to);
    way_teller& between = *tellers.emplace_back(std::make_unique<way_teller>(sc_core::sc_gen_unique_name("way")));
    from.bind(between.target);
    between.initiator.bind(to);
  }

  std::vector<std::unique_ptr<way_teller>> tellers;
};

/// Keeps the durations of a type, and the streams that instructions' records are of.
class listener final : public fabric::record_listener {
 public:
  void write(const fabric::record_event& event) override {
    if (event.what == fabric::record_event::edge::begin) {
      types[event.id] = event.stream->type().name;
      begins[event.id] = event.cycle;
      if (event.stream->type().name == "way") parents.push_back(event.parent);
    } else if (event.stream->type().name == "way") {
      cycles.push_back(event.cycle - begins[event.id]);
    }
  }

  std::map<std::uint64_t, std::string_view> types;
  std::map<std::uint64_t, fabric::cycle_t> begins;
  std::vector<std::uint64_t> parents;
  std::vector<fabric::cycle_t> cycles;
};

TEST(toy_record, is_told_with_those_of_the_model) {
  way_binder binder;
  device::run_options options;
  options.binder = &binder;
  options.record = true;
  const auto trace = std::filesystem::path(TC_SOURCE_DIR) / "traces" / "sm_75.micro_f16_f16_m16n16k16" / "kernel.trace";
  device::test::test_machine machine(trace, device::test::preset("turing"), options);
  for (const auto& teller : binder.tellers) teller->tell(*machine.device().recorder());
  listener heard;
  machine.device().recorder()->records.bind(heard);
  machine.run();

  EXPECT_EQ(heard.cycles, std::vector<fabric::cycle_t>(4, 14)) << "HMMA.1688 takes 14 cycles from its operands to its result";
  for (const std::uint64_t parent : heard.parents) EXPECT_EQ(heard.types.at(parent), "instruction");
  EXPECT_TRUE(std::any_of(heard.types.begin(), heard.types.end(), [](const auto& record) { return record.second == "execute"; }))
      << "the model's own tap is behind the user's module";
}

}  // namespace

}  // namespace toy_record_test
