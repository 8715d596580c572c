// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <systemc>

#include "rtl_threadgroup.hpp"

namespace rtl::test {

/// A sum for the RTL: `length` products and an addend.
struct operation {
  std::vector<std::uint16_t> a, b;
  std::uint32_t c = 0;
  bool is_f16 = false;  ///< addend and result
};

/// Drives the RTL of a threadgroup from outside SystemC's processes: an operation for each unit in each cycle.
class rtl_bench {
 public:
  explicit rtl_bench(const make_threadgroup& make) : rtl_(make("rtl")) {
    rtl_->clock(clock_);
    rtl_->reset_n(reset_n_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    reset_n_.write(true);
  }

  const rtl_shape& shape() const { return rtl_->shape(); }

  /// The results of operations on one unit, in order.
  std::vector<std::uint32_t> run_on(unsigned unit, const std::vector<operation>& operations) { return run(operations, unit, unit + 1); }
  /// The same on all units.
  std::vector<std::uint32_t> run(const std::vector<operation>& operations) { return run(operations, 0, shape().units); }

  /// Cycles from the operands of an operation to its result.
  unsigned latency(const operation& one) {
    rtl_->start(0, one.a.data(), one.b.data(), one.is_f16);
    for (unsigned cycles = 0;; ++cycles) {
      if (rtl_->has_result(0)) return cycles;
      cycle();
    }
  }

 private:
  void cycle() {
    rtl_->drive();
    clock_.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    clock_.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
  }

  std::vector<std::uint32_t> run(const std::vector<operation>& operations, unsigned first_unit, unsigned end_unit) {
    std::vector<std::uint32_t> results;
    std::vector<std::size_t> started{0};  // operations before each cycle
    while (results.size() < operations.size()) {
      std::size_t next = started.back();
      for (unsigned unit = first_unit; unit < end_unit && next < operations.size(); ++unit, ++next)
        rtl_->start(unit, operations[next].a.data(), operations[next].b.data(), operations[next].is_f16);
      started.push_back(next);
      const unsigned before = shape().multiply_stages + 1;
      if (started.size() > before + 1) {
        std::size_t adding = started[started.size() - before - 2];
        const std::size_t end = started[started.size() - before - 1];
        for (unsigned unit = first_unit; adding < end; ++unit, ++adding) rtl_->add(unit, operations[adding].c);
      }
      cycle();
      for (unsigned unit = first_unit; unit < end_unit; ++unit)
        if (rtl_->has_result(unit)) results.push_back(rtl_->result(unit));
    }
    return results;
  }

  std::unique_ptr<rtl_threadgroup> rtl_;
  sc_core::sc_signal<bool> clock_{"clock"}, reset_n_{"reset_n"};
};

}  // namespace rtl::test
