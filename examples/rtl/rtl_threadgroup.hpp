// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>

#ifdef RTL_WAVES
#include <verilated_vcd_sc.h>
#endif

namespace rtl {

/// What the parameters of a Verilated dot_product_array are.
struct rtl_shape {
  unsigned units = 4;   ///< dot-product units
  unsigned length = 4;  ///< products of an operation: L
  unsigned multiply_stages = 1;
  unsigned adder_stages = 3;
};

/// The dot-product units of a threadgroup in RTL: dot_product_array with whatever parameters. An operation that is started before a rising
/// edge takes its addend before the edge multiply_stages + 1 later, and its result stands after the one adder_stages later.
class rtl_threadgroup : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock{"clock"}, reset_n{"reset_n"};

  rtl_threadgroup(const sc_core::sc_module_name& module_name, const rtl_shape& shape) : sc_module(module_name), shape_(shape) {}
  ~rtl_threadgroup() override = default;

  const rtl_shape& shape() const { return shape_; }

  // For the next rising edge; on the pins after drive(), which forgets them.
  virtual void start(unsigned unit, const std::uint16_t* a, const std::uint16_t* b, bool is_f16) = 0;  ///< `length` factors each
  virtual void add(unsigned unit, std::uint32_t c) = 0;
  virtual void drive() = 0;

  // After the latest rising edge.
  virtual bool has_result(unsigned unit) const = 0;
  virtual std::uint32_t result(unsigned unit) const = 0;

#ifdef RTL_WAVES
  /// Adds all signals to a file of waves that is not open yet.
  virtual void trace(VerilatedVcdSc& waves) = 0;
#endif

 private:
  const rtl_shape shape_;
};

using make_threadgroup = std::function<std::unique_ptr<rtl_threadgroup>(const char* name)>;

/// `Top`: what `verilator --sc` makes of dot_product_array.
template <class Top>
class verilated_threadgroup final : public rtl_threadgroup {
 public:
  verilated_threadgroup(const sc_core::sc_module_name& module_name, const rtl_shape& shape) : rtl_threadgroup(module_name, shape) {
    top_.clk(clock);
    top_.rst_n(reset_n);
    top_.in_valid(in_valid_);
    top_.is_f16(is_f16_);
    top_.a(a_);
    top_.b(b_);
    top_.c(c_);
    top_.out_valid(out_valid_);
    top_.d(d_);
  }
  ~verilated_threadgroup() override { top_.final(); }

  void start(unsigned unit, const std::uint16_t* a, const std::uint16_t* b, bool is_f16) override {
    next_.in_valid |= 1U << unit;
    if (is_f16) next_.is_f16 |= 1U << unit;
    const unsigned words = shape().length / 2;
    for (unsigned w = 0; w < words; ++w) {
      const int at = static_cast<int>(unit * words + w);
      next_.a.set_word(at, a[2 * w] | std::uint32_t{a[2 * w + 1]} << 16);
      next_.b.set_word(at, b[2 * w] | std::uint32_t{b[2 * w + 1]} << 16);
    }
  }
  void add(unsigned unit, std::uint32_t c) override { next_.c.set_word(static_cast<int>(unit), c); }
  void drive() override {
    in_valid_.write(next_.in_valid);
    is_f16_.write(next_.is_f16);
    a_.write(next_.a);
    b_.write(next_.b);
    c_.write(next_.c);
    next_.in_valid = next_.is_f16 = 0;
  }

  bool has_result(unsigned unit) const override { return (out_valid_.read() >> unit & 1) != 0; }
  std::uint32_t result(unsigned unit) const override { return static_cast<std::uint32_t>(d_.read().get_word(static_cast<int>(unit))); }
#ifdef RTL_WAVES
  void trace(VerilatedVcdSc& waves) override { top_.trace(&waves, 99); }
#endif

 private:
  template <class Port>
  using value_of = typename std::remove_reference_t<Port>::data_type;
  using factors = value_of<decltype(Top::a)>;
  using numbers = value_of<decltype(Top::c)>;

  struct pins {
    std::uint32_t in_valid = 0, is_f16 = 0;
    factors a, b;
    numbers c;
  };

  pins next_;
  sc_core::sc_signal<std::uint32_t> in_valid_{"in_valid"}, is_f16_{"is_f16"}, out_valid_{"out_valid"};
  sc_core::sc_signal<factors> a_{"a"}, b_{"b"};
  sc_core::sc_signal<numbers> c_{"c"}, d_{"d"};
  Top top_{"top"};
};

}  // namespace rtl
