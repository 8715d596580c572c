// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// What probing a unit that accumulates integers gave.
struct integer_findings {
  std::string product;   ///< "a x b", or of bits "a xor b" or "a and b"; empty if none of these
  std::string overflow;  ///< "wraps modulo 2^32" or "saturates"; empty if neither
  std::string evidence;  ///< the experiments that show it
  std::size_t checked = 0;
  /// A random dot product with another result than the exact sum wrapped or clamped.
  std::optional<dot_inputs> unexplained;

  bool explained() const { return !unexplained && !product.empty() && !overflow.empty(); }
};

/// Infers what a unit does with integers or bits, and with sums beyond 32 bits, by calling it with rows of up to `k` elements.
integer_findings probe_integers(const unit_under_test& unit, unsigned k);

}  // namespace tc::study
