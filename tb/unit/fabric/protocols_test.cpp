#include <type_traits>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <gtest/gtest.h>

#include <tc/fabric/protocols.hpp>

namespace tc::fabric {
namespace {

struct tile {
  int values[4];
};
struct product {
  float value;
};
using tile_link = dataflow_protocol<tile>;
using product_link = dataflow_protocol<product>;

/// Sends tiles until the receiver's latch is full.
class producer final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<producer, base_link_width_bits, tile_link> out{"out"};

  explicit producer(const sc_core::sc_module_name& name) : sc_module(name) { out.register_nb_transport_bw(this, &producer::released); }

  tlm::tlm_sync_enum send(int first, sc_core::sc_time& delay) {
    tile payload{{first, first + 1, first + 2, first + 3}};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    return out->nb_transport_fw(payload, phase, delay);
  }

  unsigned releases = 0;

 private:
  tlm::tlm_sync_enum released(tile&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    EXPECT_EQ(phase, tlm::END_REQ);
    ++releases;
    return tlm::TLM_ACCEPTED;
  }
};

/// Takes the first tile at once, and holds the second in its latch until told to go on.
template <template <class, unsigned, class> class Socket>
class consumer_with final : public sc_core::sc_module {
 public:
  Socket<consumer_with, base_link_width_bits, tile_link> in{"in"};

  explicit consumer_with(const sc_core::sc_module_name& name) : sc_module(name) { in.register_nb_transport_fw(this, &consumer_with::take); }

  void release() {
    tile unused{};
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(in->nb_transport_bw(unused, phase, delay), tlm::TLM_ACCEPTED);
  }

  std::vector<int> taken;

 private:
  tlm::tlm_sync_enum take(tile& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    taken.push_back(payload.values[3]);
    if (taken.size() > 1) return tlm::TLM_ACCEPTED;
    delay += sc_core::sc_time(2, sc_core::SC_NS);
    return tlm::TLM_COMPLETED;
  }
};

template <class Module, unsigned Width, class Types>
using passthrough = tlm_utils::passthrough_target_socket<Module, Width, Types>;
using consumer = consumer_with<passthrough>;

TEST(dataflow_protocol, hands_a_payload_over_in_one_call) {
  producer source("source");
  consumer sink("sink");
  source.out.bind(sink.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_time delay(1, sc_core::SC_NS);
  EXPECT_EQ(source.send(10, delay), tlm::TLM_COMPLETED);
  EXPECT_EQ(delay, sc_core::sc_time(3, sc_core::SC_NS)) << "when the receiver can take the next";
  EXPECT_EQ(source.send(20, delay), tlm::TLM_ACCEPTED);
  EXPECT_EQ(source.releases, 0u);
  sink.release();
  EXPECT_EQ(source.releases, 1u);
  EXPECT_EQ(sink.taken, (std::vector<int>{13, 23}));
}

/// Broadcasts to, and gathers from, any number of links.
class crossbar final : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_initiator_socket<crossbar, base_link_width_bits, tile_link> out{"out"};
  tlm_utils::multi_passthrough_target_socket<crossbar, base_link_width_bits, tile_link> in{"in"};

  explicit crossbar(const sc_core::sc_module_name& name) : sc_module(name) {
    in.register_nb_transport_fw(this, &crossbar::forward);
    out.register_nb_transport_bw(this, &crossbar::backward);
  }

 private:
  tlm::tlm_sync_enum forward(int, tile& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    for (int i = 0; i < static_cast<int>(out.size()); ++i) {
      sc_core::sc_time branch = delay;
      out[i]->nb_transport_fw(payload, phase, branch);
    }
    return tlm::TLM_COMPLETED;
  }
  tlm::tlm_sync_enum backward(int, tile&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }
};

TEST(dataflow_protocol, works_with_multi_sockets) {
  producer first("first");
  producer second("second");
  crossbar middle("middle");
  consumer left("left");
  consumer right("right");
  first.out.bind(middle.in);
  second.out.bind(middle.in);
  middle.out.bind(left.in);
  middle.out.bind(right.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_time delay;
  first.send(1, delay);
  second.send(5, delay);
  EXPECT_EQ(left.taken, (std::vector<int>{4, 8}));
  EXPECT_EQ(right.taken, (std::vector<int>{4, 8}));
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
}  // namespace tc::fabric
