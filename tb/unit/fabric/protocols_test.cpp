// SPDX-License-Identifier: Apache-2.0
#include <type_traits>
#include <utility>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <gtest/gtest.h>

#include <tc/fabric/dataflow_monitors.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::fabric::protocols_test {
namespace {

struct tile {
  int value;
};
struct product {
  float value;
};
using tile_link = dataflow_protocol<tile>;
using product_link = dataflow_protocol<product>;

/// Sends tiles.
class producer final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<producer, base_link_width_bits, tile_link> out{"out"};

  explicit producer(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// Takes tiles, by the rules or not.
class consumer final : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<consumer, base_link_width_bits, tile_link> in{"in"};
  tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
  bool changes_phase = false, changes_delay = false;
  int taken = 0;

  explicit consumer(const sc_core::sc_module_name& name) : sc_module(name) { in.register_nb_transport_fw(this, &consumer::take); }

 private:
  tlm::tlm_sync_enum take(tile& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    taken = payload.value;
    if (changes_phase) phase = tlm::END_REQ;
    if (changes_delay) delay += sc_core::sc_time(1, sc_core::SC_NS);
    return answer;
  }
};

TEST(dataflow_monitor, passes_everything_and_reports_what_the_rules_forbid) {
  producer begin("begin");
  dataflow_monitor<tile_link> monitor("monitor");
  consumer end("end");
  begin.out.bind(monitor.target);
  monitor.initiator.bind(end.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto send = [&](int value) {
    tile payload{value};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(3, sc_core::SC_NS);
    return begin.out->nb_transport_fw(payload, phase, delay);
  };
  const auto is_reported = [&](int value) {
    const int before = sc_core::sc_report_handler::get_count(report::monitor_dataflow);
    EXPECT_THROW(send(value), sc_core::sc_report);
    return sc_core::sc_report_handler::get_count(report::monitor_dataflow) == before + 1 && end.taken == value;
  };
  EXPECT_EQ(send(7), tlm::TLM_COMPLETED);
  EXPECT_EQ(end.taken, 7);
  end.answer = tlm::TLM_ACCEPTED;
  EXPECT_TRUE(is_reported(8));
  end.answer = tlm::TLM_COMPLETED;
  end.changes_phase = true;
  EXPECT_TRUE(is_reported(9));
  end.changes_phase = false;
  end.changes_delay = true;
  EXPECT_TRUE(is_reported(10));
  EXPECT_EQ(monitor.transactions(), 4u);
}

template <class Initiator, class Target, class = void>
struct can_bind : std::false_type {};
template <class Initiator, class Target>
struct can_bind<Initiator, Target, std::void_t<decltype(std::declval<Initiator&>().bind(std::declval<Target&>()))>> : std::true_type {};

struct owner;
template <class Types, unsigned Width = base_link_width_bits>
using initiator_of = tlm_utils::simple_initiator_socket<owner, Width, Types>;
template <class Types, unsigned Width = base_link_width_bits>
using target_of = tlm_utils::passthrough_target_socket<owner, Width, Types>;

TEST(dataflow_protocol, a_wrong_binding_does_not_compile) {
  EXPECT_TRUE((can_bind<initiator_of<tile_link>, target_of<tile_link>>::value));
  EXPECT_FALSE((can_bind<initiator_of<tile_link>, target_of<product_link>>::value)) << "another payload";
  EXPECT_FALSE((can_bind<initiator_of<tile_link>, target_of<tlm::tlm_base_protocol_types>>::value)) << "the base protocol";
  EXPECT_FALSE((can_bind<initiator_of<tlm::tlm_base_protocol_types>, target_of<tile_link>>::value)) << "the base protocol";
  EXPECT_FALSE((can_bind<initiator_of<tile_link>, target_of<tile_link, 64>>::value)) << "another width";
}

TEST(dataflow_protocol, a_generic_payload_does_not_make_it_the_base_protocol) {
  using generic_link = dataflow_protocol<tlm::tlm_generic_payload>;
  EXPECT_FALSE((can_bind<initiator_of<generic_link>, target_of<tlm::tlm_base_protocol_types>>::value));
}

TEST(protocols, knows_the_phases_of_the_base_protocol) {
  for (const auto phase : {tlm::BEGIN_REQ, tlm::END_REQ, tlm::BEGIN_RESP, tlm::END_RESP}) EXPECT_FALSE(is_extended(phase));
  DECLARE_EXTENDED_PHASE(peers_own_phase);
  EXPECT_TRUE(is_extended(peers_own_phase));
}

}  // namespace
}  // namespace tc::fabric::protocols_test
