// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/statistics.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/subcore/tensor/dot_product_units.hpp>

/// Dot-product units that count the multiplications with a factor of zero, which a sparse tensor core could leave out. Their sums are those
/// of the model's own units, which sit inside.
class zero_counting_units final : public sc_core::sc_module, public tc::fabric::statistics_source {
 public:
  tc::links::dot_product_target<zero_counting_units> products{"products"};

  zero_counting_units(const sc_core::sc_module_name& module_name, const tc::links::dot_product_site& site)
      : sc_module(module_name), sums_("sums", site.tensor_core.arithmetic, site.operands) {
    products.register_nb_transport_fw(this, &zero_counting_units::multiply);
    to_sums_.bind(sums_.products);
  }

  void collect(tc::fabric::statistics_sink& sink) const override {
    sink.count("multiplications", multiplications_, "multiplications", "Multiplications of two elements");
    sink.count("with_zero", with_zero_, "multiplications", "Of these, with a factor of which all bits are zero");
  }

 private:
  using transfer_type = tc::links::dot_product_transfer;

  tlm::tlm_sync_enum multiply(transfer_type& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (transfer.a != nullptr) count(transfer);  // null: a run without data
    return to_sums_->nb_transport_fw(transfer, phase, delay);
  }

  /// Element e of the k of a row or column whose words lie `stride` apart.
  static std::uint32_t element(const std::uint32_t* words, unsigned stride, unsigned e, unsigned bits) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    return static_cast<std::uint32_t>(words[e * bits / 32 * stride] >> e * bits % 32 & mask);
  }

  void count(const transfer_type& transfer) {
    const tc::links::product_shape& shape = transfer.shape;
    const unsigned a_bits = tc::isa::bits(transfer.mma->a), b_bits = tc::isa::bits(transfer.mma->b);
    multiplications_ += std::uint64_t{shape.products} * shape.rows * shape.columns * shape.k;
    if (a_bits > 32 || b_bits > 32) return;
    for (unsigned p = 0; p < shape.products; ++p)
      for (unsigned e = 0; e < shape.k; ++e) {
        std::uint64_t a_zeros = 0, b_zeros = 0;
        for (unsigned row = 0; row < shape.rows; ++row)
          a_zeros += element(transfer.a + p * transfer.a_words() + row, shape.rows, e, a_bits) == 0;
        for (unsigned column = 0; column < shape.columns; ++column)
          b_zeros += element(transfer.b + p * transfer.b_words() + column * (shape.k * b_bits / 32), 1, e, b_bits) == 0;
        with_zero_ += a_zeros * shape.columns + b_zeros * shape.rows - a_zeros * b_zeros;
      }
  }

  tc::subcore::dot_product_units sums_;
  tc::links::dot_product_initiator<zero_counting_units> to_sums_{"to_sums"};
  std::uint64_t multiplications_ = 0, with_zero_ = 0;
};
