// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <gtest/gtest.h>

#include <tc/links/link_binder.hpp>

namespace tc::subcore::test {

/// Flips the lowest bit of the first value that passes.
inline void flip(tlm::tlm_generic_payload& payload) { payload.get_data_ptr()[0] ^= 1; }
inline void flip(links::dot_product_transfer& sums) { sums.d[0] ^= 1; }
inline void flip(links::warp_instruction& instruction) { instruction.result_registers[0][0] ^= 1; }
/// A fault on the wires of values which the sender means to be read only.
inline void flip_word(const std::uint32_t& word, std::uint32_t bits = 1) {
  const_cast<std::uint32_t&>(word) ^= bits;  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}
/// Of a bank's answer: the row in the bank stays as it is.
inline void flip_read(links::bank_transfer& read) {
  const unsigned first = read.ranges->position;
  if (read.found != nullptr && read.found[first] != read.room + first) read.room[first] = *read.found[first];
  read.room[first][0] ^= 1;
  if (read.found != nullptr) read.found[first] = read.room + first;
}
/// A fault on the wires of what is written; the sender means it to be read only.
inline void flip_written(links::bank_transfer& write) {
  const_cast<warp::lane_vector&>(write.values[write.ranges->position])[0] ^= 1;  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}
inline void flip(links::b_tile_transfer& tile) {
  if (tile.words != nullptr) flip_word(tile.words[0]);
}
inline void flip_a(links::fragment_transfer& fragments) { flip_word((*fragments.work->a[0])[fragments.octets.first_lane()]); }
inline void flip_c(links::fragment_transfer& fragments) { flip_word((*fragments.work->c[0])[fragments.octets.first_lane()]); }
inline void flip_d(links::fragment_transfer& fragments) { (*fragments.work->d[0])[fragments.octets.first_lane()] ^= 1; }

/// Sits on a link and disturbs what passes: changes it on the way there and back, loses it, or holds the answer until
/// told.
template <class Protocol>
class interposer final : public sc_core::sc_module {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  tlm_utils::passthrough_target_socket<interposer, 32, Protocol> target{"target"};
  tlm_utils::simple_initiator_socket<interposer, 32, Protocol> initiator{"initiator"};
  std::function<void(payload_type&)> on_the_way = [](auto&) {};
  std::function<void(payload_type&)> on_the_way_back = [](auto&) {};
  bool holds = false;  ///< requests are accepted and answered by answer()

  bool loses = false;  ///< requests go no further

  explicit interposer(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    target.register_nb_transport_fw(this, &interposer::forward);
    target.register_transport_dbg(this, &interposer::debug);
    initiator.register_nb_transport_bw(this, &interposer::backward);
  }

  /// Answers the oldest request that is held, in a phase of its own.
  void answer() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    payload_type& payload = *held_.front();
    held_.pop_front();
    answered_ = &payload;
    EXPECT_EQ(target->nb_transport_bw(payload, phase, delay), tlm::TLM_COMPLETED);
  }
  /// Answers once more what was answered last.
  void answer_again() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    target->nb_transport_bw(*answered_, phase, delay);
  }

 private:
  unsigned debug(payload_type& payload) { return initiator->transport_dbg(payload); }

  tlm::tlm_sync_enum backward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return target->nb_transport_bw(payload, phase, delay);
  }

  tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (loses) return tlm::TLM_COMPLETED;
    on_the_way(payload);
    const sc_core::sc_time arrival = delay;
    const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
    on_the_way_back(payload);
    if (!holds) return status;
    held_.push_back(&payload);
    delay = arrival;
    return tlm::TLM_ACCEPTED;
  }

  std::deque<payload_type*> held_;
  payload_type* answered_ = nullptr;
};

/// Puts an interposer on every link, and counts them.
class interposing_binder final : public links::link_binder {
 public:
  void bind(const char* link, links::link_initiator<memory_protocol>& from, links::link_target<memory_protocol>& to) override {
    insert(memory_links[link], from, to);
  }
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override {
    insert(instruction_links[link], from, to);
  }
  void bind(const char* link, links::link_initiator<links::bank_protocol>& from, links::link_target<links::bank_protocol>& to) override {
    insert(bank_links[link], from, to);
  }
  void bind(const char* link, links::link_initiator<links::b_tile_protocol>& from,
            links::link_target<links::b_tile_protocol>& to) override {
    insert(b_tile_links[link], from, to);
  }
  void bind(const char* link, links::link_initiator<links::fragment_protocol>& from,
            links::link_target<links::fragment_protocol>& to) override {
    insert(fragment_links[link], from, to);
  }
  void bind(const char* link, links::link_initiator<links::dot_product_protocol>& from,
            links::link_target<links::dot_product_protocol>& to) override {
    insert(dot_product_links[link], from, to);
  }
  using links::link_binder::bind;

  /// Flips a bit on the first link of that name, or stops doing so. False if there is none. Of fragments, one of A, C or D: "fragments A"
  /// and so on.
  bool flip_bits(const std::string& link, bool flips) {
    if (link == "fragments A") return set_flips(fragment_links, "fragments", flips, flip_a);
    if (link == "fragments C") return set_flips(fragment_links, "fragments", flips, flip_c);
    if (link == "fragments D") return set_flips(fragment_links, "fragments", flips, flip_d, true);
    const auto first_value = [](auto& payload) { flip(payload); };
    return set_flips(memory_links, link, flips, first_value) || set_flips(instruction_links, link, flips, first_value) ||
           set_flips(b_tile_links, link, flips, first_value) || set_flips(dot_product_links, link, flips, first_value);
  }

  template <class Protocol>
  using interposers = std::map<std::string, std::vector<std::unique_ptr<interposer<Protocol>>>>;
  interposers<memory_protocol> memory_links;
  interposers<links::instruction_protocol> instruction_links;
  interposers<links::bank_protocol> bank_links;
  interposers<links::b_tile_protocol> b_tile_links;
  interposers<links::fragment_protocol> fragment_links;
  interposers<links::dot_product_protocol> dot_product_links;

 private:
  template <class Protocol>
  static void insert(std::vector<std::unique_ptr<interposer<Protocol>>>& same, links::link_initiator<Protocol>& from,
                     links::link_target<Protocol>& to) {
    same.push_back(std::make_unique<interposer<Protocol>>(sc_core::sc_gen_unique_name("interposer")));
    from.bind(same.back()->target);
    same.back()->initiator.bind(to);
  }
  template <class Protocol, class Flip>
  static bool set_flips(interposers<Protocol>& all, const std::string& link, bool flips, const Flip& flip_one,
                        bool answers = std::is_same_v<Protocol, links::dot_product_protocol>) {
    const auto found = all.find(link);
    if (found == all.end()) return false;
    const auto change = [flips, flip_one](auto& payload) {
      if (flips) flip_one(payload);
    };
    const bool is_result = std::is_same_v<Protocol, links::instruction_protocol>;
    if (!answers || !flips) found->second.front()->on_the_way = change;
    if (!is_result) found->second.front()->on_the_way_back = change;  // restores what was sent
    return true;
  }
};

}  // namespace tc::subcore::test
