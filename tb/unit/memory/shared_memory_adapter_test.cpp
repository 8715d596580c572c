// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/memory/shared_memory_adapter.hpp>

#include "fabric/scripted_peers.hpp"
#include "shared_memory_peer.hpp"

namespace tc::memory::shared_memory_adapter_test {
namespace {

using kind = links::shared_memory_transfer::kind;

/// A unit, an adapter, and a memory that speaks the base protocol and does what the test says.
struct bench {
  explicit bench(bool data = true) : adapter("adapter", data, clock) {
    unit.bind(adapter.port);
    adapter.memory.bind(memory.socket);
    access.number = 7;
    access.warp = 3;
    access.arrival = 2;
    access.wavefronts = 2;
    access.conflicts = 2;
    access.base = 0x100;
    access.bytes = 0x90;
    access.runs_begin = runs.data();
    access.runs_end = runs.data() + runs.size();
    access.buffer = bytes.data();
    access.undefined = undefined.data();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  tc::test::shared_memory_peer peer{"peer"};
  links::shared_memory_initiator& unit = peer.link;
  shared_memory_adapter adapter;
  fabric::scripted_target memory{"memory"};
  std::array<links::access_run, 3> runs{{{0, 0, 4, 0}, {8, 4, 4, 0}, {0x80, 8, 16, 1}}};
  std::array<unsigned char, 24> bytes{}, undefined{};
  links::shared_memory_transfer access;
};

/// What a transaction says.
struct said {
  std::uint64_t address;
  unsigned length, index, further_bytes;
  bool conflict;
};
bool operator==(const said& a, const said& b) {
  return a.address == b.address && a.length == b.length && a.index == b.index && a.further_bytes == b.further_bytes &&
         a.conflict == b.conflict;
}
void PrintTo(const said& each, std::ostream* out) { *out << each.address << "+" << each.length << " of " << each.index; }

std::vector<said> transactions_of(bench& test) {
  std::vector<said> seen;
  test.memory.on_forward = [&seen](auto& payload, auto&, auto& delay) {
    const auto& wavefront = *payload.template get_extension<fabric::wavefront>();
    EXPECT_EQ(wavefront.access, 7U);
    EXPECT_EQ(wavefront.count, 2U);
    EXPECT_EQ(payload.template get_extension<fabric::warp_tag>()->warp, 3U);
    EXPECT_EQ(delay, sc_core::sc_time(2, sc_core::SC_NS));
    seen.push_back({payload.get_address(), payload.get_data_length(), wavefront.index, wavefront.further_bytes, wavefront.conflict});
    delay += sc_core::sc_time(static_cast<double>(seen.size()), sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  test.unit.send(test.access);
  EXPECT_EQ(test.peer.done, 1U);
  return seen;
}

TEST(shared_memory_adapter, makes_a_transaction_of_each_run) {
  bench test;
  EXPECT_EQ(transactions_of(test), (std::vector<said>{{0x100, 4, 0, 0, false}, {0x108, 4, 0, 0, false}, {0x180, 16, 1, 0, true}}));
  EXPECT_EQ(test.access.first_valid, 3U);
  EXPECT_EQ(test.access.valid, 5U);
}

TEST(shared_memory_adapter, makes_one_of_each_wavefront_without_data) {
  bench test(false);
  EXPECT_EQ(transactions_of(test), (std::vector<said>{{0x100, 4, 0, 4, false}, {0x180, 16, 1, 0, true}}));
}

TEST(shared_memory_adapter, answers_when_the_last_transaction_is_answered) {
  bench test;
  std::vector<tlm::tlm_generic_payload*> open;
  test.memory.on_forward = [&open](auto& payload, auto& phase, auto&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    open.push_back(&payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  test.unit.send(test.access);
  sc_core::sc_start(10, sc_core::SC_NS);
  ASSERT_EQ(open.size(), 3U);
  for (tlm::tlm_generic_payload* const each : open) {
    EXPECT_EQ(test.peer.done, 0U);
    each->set_response_status(tlm::TLM_OK_RESPONSE);
    test.memory.backward(*each, tlm::BEGIN_RESP);
  }
  EXPECT_EQ(test.peer.done, 1U);
  EXPECT_EQ(test.access.valid, 10U);
}

TEST(shared_memory_adapter, tells_what_the_memory_says_besides_the_data) {
  bench test;
  test.undefined.fill(9);
  test.memory.on_forward = [](auto& payload, auto&, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.get_address() == 0x100) return tlm::TLM_COMPLETED;
    auto& undefined = *payload.template get_extension<fabric::undefined_bytes>();
    undefined.any = true;
    undefined.flags.assign(payload.get_data_length(), 0);
    undefined.flags[1] = 1;
    auto& proxy = *payload.template get_extension<fabric::proxy_access>();
    EXPECT_FALSE(proxy.asynchronous);
    proxy.found = fabric::proxy_hazard::arriving;
    proxy.first = 2;
    return tlm::TLM_COMPLETED;
  };
  test.unit.send(test.access);
  EXPECT_TRUE(test.access.any_undefined);
  EXPECT_EQ(test.access.undefined_run, &test.runs[1]);
  EXPECT_EQ(test.access.first_undefined, 0x109U);
  EXPECT_EQ(test.undefined[0], 0);
  EXPECT_EQ(test.undefined[5], 1);
  EXPECT_EQ(test.undefined[9], 1);
  EXPECT_EQ(test.access.hazard, fabric::proxy_hazard::arriving);
  EXPECT_EQ(test.access.hazard_run, &test.runs[1]);
  EXPECT_EQ(test.access.first_hazard, 0x10aU);
}

TEST(shared_memory_adapter, tells_which_run_was_refused_first) {
  bench test;
  test.memory.on_forward = [](auto& payload, auto&, auto&) {
    payload.set_response_status(payload.get_address() == 0x100 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  test.unit.send(test.access);
  EXPECT_EQ(test.access.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.access.refused, &test.runs[1]);
}

TEST(shared_memory_adapter, says_which_bytes_of_a_write_are_undefined) {
  bench test;
  test.access.is_write = test.access.any_undefined = true;
  test.undefined[5] = 1;
  std::vector<std::vector<unsigned char>> seen;
  test.memory.on_forward = [&seen](auto& payload, auto&, auto&) {
    EXPECT_TRUE(payload.is_write());
    seen.push_back(payload.template get_extension<fabric::undefined_bytes>()->flags);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  test.unit.send(test.access);
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[1], (std::vector<unsigned char>{0, 1, 0, 0}));
}

TEST(shared_memory_adapter, announces_as_long_as_the_memory_heeds_it) {
  bench test;
  unsigned announcements = 0;
  bool heeds = true;
  test.memory.on_forward = [&](auto& payload, auto&, auto& delay) {
    ++announcements;
    EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(delay, sc_core::sc_time(2, sc_core::SC_NS));
    payload.template get_extension<fabric::wavefront>()->noted = heeds;
    return tlm::TLM_COMPLETED;
  };
  for (unsigned i = 0; i < 5; ++i) {
    heeds = i < 2;
    test.unit.announce(test.access);
  }
  EXPECT_EQ(announcements, 3U);
}

TEST(shared_memory_adapter, passes_changes_of_visibility) {
  bench test;
  std::vector<fabric::visibility_change> seen;
  test.memory.on_forward = [&seen](auto& payload, auto&, auto&) {
    seen.push_back(*payload.template get_extension<fabric::visibility_change>());
    return tlm::TLM_COMPLETED;
  };
  for (const kind each : {kind::fence, kind::arrive, kind::settle}) test.unit.change(each, 0x40, 16);
  using changed = fabric::visibility_change::kind;
  const std::array<changed, 3> expected{changed::fenced, changed::arriving, changed::settled};
  ASSERT_EQ(seen.size(), expected.size());
  for (unsigned i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(seen[i].what, expected[i]);
    EXPECT_EQ(seen[i].base, 0x40U);
    EXPECT_EQ(seen[i].bytes, 16U);
  }
}

/// A target that breaks the rules of the link.
struct bad_memory final : sc_core::sc_module {
  links::shared_memory_target<bad_memory> port{"port"};
  tlm::tlm_sync_enum answer = tlm::TLM_ACCEPTED;

  explicit bad_memory(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    port.register_nb_transport_fw(this, &bad_memory::forward);
  }

 private:
  tlm::tlm_sync_enum forward(links::shared_memory_transfer&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (answer == tlm::TLM_UPDATED) phase = tlm::END_REQ;
    return answer;
  }
};

TEST(shared_memory_initiator, reports_answers_that_break_the_rules) {
  bad_memory memory("memory");
  tc::test::shared_memory_peer peer("peer");
  links::shared_memory_initiator& unit = peer.link;
  unit.bind(memory.port);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  links::shared_memory_transfer access;
  EXPECT_THROW(unit.announce(access), sc_core::sc_report);
  EXPECT_THROW(unit.change(kind::fence, 0, 4), sc_core::sc_report);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time none;
  EXPECT_THROW(memory.port->nb_transport_bw(access, phase, none), sc_core::sc_report) << "nothing was asked for";
  memory.answer = tlm::TLM_UPDATED;
  EXPECT_THROW(unit.send(access), sc_core::sc_report);
}

}  // namespace
}  // namespace tc::memory::shared_memory_adapter_test
