// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>

#include <gtest/gtest.h>

#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::subcore::test {

/// How D comes.
struct answer {
  unsigned cycles = 0;  ///< from A, B and C to D
  bool in_call = true;  ///< else in a call of its own
};

/// One sum after the other, by the scalar unit.
class schoolbook_units final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(schoolbook_units);

  links::dot_product_target<schoolbook_units> socket{"socket"};
  unsigned calls = 0;
  bool is_wrong = false;  ///< the lowest bit of each element of D is the other one

  schoolbook_units(const sc_core::sc_module_name& module_name, const config::arithmetic_parameters& arithmetic, const answer& how)
      : sc_module(module_name), arithmetic_(arithmetic), how_(how) {
    socket.register_nb_transport_fw(this, &schoolbook_units::take);
    SC_METHOD(answer_later);
    sensitive << done_.get_event();
    dont_initialize();
  }

 private:
  static std::vector<std::uint32_t> strided(const std::uint32_t* first, unsigned count, unsigned stride) {
    std::vector<std::uint32_t> words(count);
    for (unsigned i = 0; i < count; ++i) words[i] = first[i * stride];
    return words;
  }

  /// D that is not there yet, and where it belongs.
  struct pending {
    links::dot_product_transfer* transfer;
    links::accumulator_words d;
  };

  tlm::tlm_sync_enum take(links::dot_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    ++calls;
    if (how_.in_call) {
      transfer.complete = transfer.arrival + how_.cycles;
      multiply(transfer, transfer.d);
      return tlm::TLM_COMPLETED;
    }
    pending& later = pending_.emplace_back();
    later.transfer = &transfer;
    multiply(transfer, later.d.data());
    done_.notify(later, sc_core::sc_time(static_cast<double>(transfer.arrival + how_.cycles), sc_core::SC_NS) - sc_core::sc_time_stamp());
    return tlm::TLM_ACCEPTED;
  }

  void answer_later() {
    while (pending* const done = done_.get_next_transaction()) {
      links::dot_product_transfer& transfer = *done->transfer;
      std::copy_n(done->d.begin(), transfer.shape.products * transfer.d_words(), transfer.d);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      EXPECT_EQ(socket->nb_transport_bw(transfer, phase, delay), tlm::TLM_COMPLETED);
    }
  }

  void multiply(const links::dot_product_transfer& transfer, std::uint32_t* d) {
    const links::product_shape& shape = transfer.shape;
    const numerics::dot_product dot = dot_product_of(*transfer.mma, arithmetic_);
    const unsigned a_words = shape.k * isa::bits(transfer.mma->a) / 32, b_words = shape.k * isa::bits(transfer.mma->b) / 32;
    const std::uint32_t *a = transfer.a, *b = transfer.b, *c = transfer.c;
    const bool is_f64 = isa::bits(transfer.mma->d) == 64;
    for (unsigned product = 0; product < shape.products; ++product) {
      for (unsigned column = 0; column < shape.columns; ++column) {
        for (unsigned row = 0; row < shape.rows; ++row, ++c, ++d) {
          const auto line = strided(a + row, a_words, shape.rows);
          const std::uint64_t addend = is_f64 ? c[0] | std::uint64_t{c[1]} << 32 : c[0];
          const std::uint64_t sum = dot(line.data(), b + column * b_words, shape.k, addend);
          d[0] = static_cast<std::uint32_t>(sum) ^ (is_wrong ? 1 : 0);
          if (!is_f64) continue;
          *++d = static_cast<std::uint32_t>(sum >> 32);
          ++c;
        }
      }
      a += shape.rows * a_words;
      b += shape.columns * b_words;
    }
  }

  config::arithmetic_parameters arithmetic_;
  const answer how_;
  std::deque<pending> pending_;
  tlm_utils::peq_with_get<pending> done_{"done"};
};

}  // namespace tc::subcore::test
