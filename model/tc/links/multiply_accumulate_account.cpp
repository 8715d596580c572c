// SPDX-License-Identifier: Apache-2.0
#include "multiply_accumulate_account.hpp"

#include <numeric>
#include <utility>

namespace tc::links {

namespace {

constexpr std::size_t index_of(isa::element_type type) { return static_cast<std::size_t>(type); }

}  // namespace

void multiply_accumulate_account::collect(fabric::statistics_sink& sink) const {
  auto counts = of_type_;
  counts[index_of(isa::element_type::s8)] += std::exchange(counts[index_of(isa::element_type::u8)], 0);
  counts[index_of(isa::element_type::s4)] += std::exchange(counts[index_of(isa::element_type::u4)], 0);
  sink.count("multiply_accumulates", std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), "multiply-accumulates",
             "Multiply-accumulates of matrix instructions");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    sink.count_of("multiply_accumulates_of", isa::name(static_cast<isa::element_type>(i)), counts[i], "multiply-accumulates",
                  "Multiply-accumulates of elements of this type");
  }
}

}  // namespace tc::links
