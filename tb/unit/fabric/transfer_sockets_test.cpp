// SPDX-License-Identifier: Apache-2.0
#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/link_tap.hpp>
#include <tc/fabric/transfer_sockets.hpp>

namespace tc::fabric::transfer_sockets_test {
namespace {

struct number {
  int value;
};
using number_link = dataflow_protocol<number>;

class sender final : public sc_core::sc_module {
 public:
  transfer_initiator<sender, number_link> out{"out"};
  int answered = 0;

  explicit sender(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    out.register_nb_transport_bw(this, &sender::answer);
  }

  tlm::tlm_sync_enum send(int value) {
    number payload{value};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    return out.send(payload, phase);
  }

 private:
  tlm::tlm_sync_enum answer(number& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    answered = payload.value;
    return tlm::TLM_COMPLETED;
  }
};

/// Adds up what comes; a debugger is shown the sum.
class adder final : public sc_core::sc_module {
 public:
  transfer_target<number_link, 0> in{"in"};
  int sum = 0;

  explicit adder(const sc_core::sc_module_name& module_name) : sc_module(module_name) { in.serve<&adder::add, &adder::show>(*this); }

 private:
  tlm::tlm_sync_enum add(number& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    sum += payload.value;
    return tlm::TLM_COMPLETED;
  }
  unsigned show(number& payload) {
    payload.value = sum;
    return sizeof sum;
  }
};

class answerer final : public sc_core::sc_module {
 public:
  transfer_target<number_link> in{"in"};

  explicit answerer(const sc_core::sc_module_name& module_name) : sc_module(module_name) { in.serve<&answerer::take>(*this); }

 private:
  tlm::tlm_sync_enum take(number& payload, tlm::tlm_phase&, sc_core::sc_time& delay) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    EXPECT_EQ(in->nb_transport_bw(payload, phase, delay), tlm::TLM_COMPLETED);
    return tlm::TLM_ACCEPTED;
  }
};

class doubling_tap final : public link_tap<number_link> {
 public:
  explicit doubling_tap(const sc_core::sc_module_name& module_name) : link_tap(module_name) {}

 private:
  tlm::tlm_sync_enum forward(number& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    payload.value *= 2;
    return link_tap::forward(payload, phase, delay);
  }
};

TEST(transfer_sockets, carry_calls_of_any_number_of_initiators_and_what_stands_between) {
  sender first("first"), second("second");
  doubling_tap tap("tap");
  adder target("target");
  first.out.bind(target.in);
  second.out.bind(tap.target);
  tap.initiator.bind(target.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(first.send(1), tlm::TLM_COMPLETED);
  EXPECT_EQ(second.send(10), tlm::TLM_COMPLETED);
  EXPECT_EQ(target.sum, 21);
  number shown{0};
  EXPECT_EQ(second.out->transport_dbg(shown), sizeof shown.value);
  EXPECT_EQ(shown.value, 21);
}

TEST(transfer_sockets, carry_answers) {
  sender from("from");
  answerer to("to");
  from.out.bind(to.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(from.send(5), tlm::TLM_ACCEPTED);
  EXPECT_EQ(from.answered, 5);
  number payload{5};
  EXPECT_EQ(from.out->transport_dbg(payload), 0U) << "none was registered";
}

TEST(transfer_sockets, report_blocking_transport) {
  sender from("from");
  answerer to("to");
  from.out.bind(to.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  number payload{5};
  sc_core::sc_time delay;
  try {
    from.out->b_transport(payload, delay);
    FAIL() << "it was taken";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), report::monitor_dataflow);
  }
}

}  // namespace
}  // namespace tc::fabric::transfer_sockets_test
