// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/numerics/dot_product.hpp>

namespace tc::study {

/// One dot product to ask for: bit patterns, one a word, in ascending k.
struct dot_inputs {
  std::vector<std::uint64_t> a, b;              ///< a row of A and a column of B, equally long
  std::vector<std::uint64_t> scale_a, scale_b;  ///< one scale for each block of them; empty without block scaling
  std::uint64_t c = 0;                          ///< addend
};

/// A dot-product unit seen from outside: formats go in, bits come out, and nothing else is known of it. Derive from it to probe a unit of
/// your own, or silicon behind a file.
class unit_under_test {
 public:
  virtual ~unit_under_test() = default;

  /// Formats of what it takes and gives. The operation named there tells floating point from integers; nobody who probes asks for more.
  virtual const numerics::dot_product_types& types() const = 0;

  /// Bits of the result. Rows may have any length from one element on, up to the length that is probed.
  virtual std::uint64_t operator()(const dot_inputs& inputs) const = 0;
};

/// The inputs in the packed form that the model's units take.
class packed_inputs {
 public:
  packed_inputs(const dot_inputs& inputs, const numerics::dot_product_types& types);

  std::uint64_t run(const numerics::dot_product& unit) const;

 private:
  std::vector<std::uint32_t> a_, b_, scale_a_, scale_b_;
  unsigned k_;
  std::uint64_t c_;
};

/// A unit of the model.
class modelled_unit final : public unit_under_test {
 public:
  explicit modelled_unit(const numerics::dot_product& unit) : unit_(unit) {}

  const numerics::dot_product_types& types() const override { return unit_.types(); }
  std::uint64_t operator()(const dot_inputs& inputs) const override { return packed_inputs(inputs, unit_.types()).run(unit_); }

 private:
  numerics::dot_product unit_;
};

}  // namespace tc::study
