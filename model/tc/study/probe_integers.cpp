// SPDX-License-Identifier: Apache-2.0
#include "probe_integers.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include <fmt/format.h>

namespace tc::study {

namespace {

using word_limits = std::numeric_limits<std::int32_t>;

/// What one pair of elements may add.
struct product_rule {
  const char* name;
  std::int64_t (*product)(std::int64_t a, std::int64_t b);
};

constexpr product_rule product_rules[] = {{"a x b", [](std::int64_t a, std::int64_t b) { return a * b; }},
                                          {"a xor b", [](std::int64_t a, std::int64_t b) { return a ^ b; }}};

/// What may become of a sum.
struct overflow_rule {
  const char* name;
  std::int32_t (*result)(std::int64_t sum);
};

constexpr overflow_rule overflow_rules[] = {
    {"wraps modulo 2^32", [](std::int64_t sum) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)); }},
    {"saturates",
     [](std::int64_t sum) { return static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, word_limits::min(), word_limits::max())); }}};

std::int64_t exact_sum(const dot_inputs& dot, const numerics::dot_product_types& types, const product_rule& rule) {
  std::int64_t sum = numerics::integer_value(dot.c, numerics::s32);
  for (std::size_t i = 0; i < dot.a.size(); ++i)
    sum += rule.product(numerics::integer_value(dot.a[i], types.a), numerics::integer_value(dot.b[i], types.b));
  return sum;
}

dot_inputs ones(unsigned k, std::uint64_t a, std::uint64_t b, std::int32_t c) {
  return {std::vector<std::uint64_t>(k, a), std::vector<std::uint64_t>(k, b), {}, {}, static_cast<std::uint32_t>(c)};
}

}  // namespace

integer_findings probe_integers(const unit_under_test& unit, unsigned k) {
  const numerics::dot_product_types& types = unit.types();
  const auto result = [&](const dot_inputs& dot) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(unit(dot))); };
  integer_findings findings;

  const dot_inputs both = ones(1, 1, 1, 0), one = ones(1, 1, 0, 0), beyond = ones(1, 1, 1, word_limits::max());
  const product_rule* multiply = nullptr;
  for (const product_rule& rule : product_rules)
    if (multiply == nullptr && result(both) == exact_sum(both, types, rule) && result(one) == exact_sum(one, types, rule)) multiply = &rule;
  if (multiply == nullptr) return findings;
  const bool is_binary = types.a.storage_bits == 1;
  findings.product = is_binary && multiply == product_rules ? "a and b" : multiply->name;

  const bool adds_both = result(both) != 0;
  const dot_inputs edge = adds_both ? beyond : ones(1, 1, 0, word_limits::max());
  const overflow_rule* overflow = nullptr;
  for (const overflow_rule& rule : overflow_rules)
    if (result(edge) == rule.result(exact_sum(edge, types, *multiply))) overflow = &rule;
  if (overflow == nullptr) return findings;
  findings.overflow = overflow->name;
  findings.evidence = fmt::format("1, 1: {}; 1, 0: {}; C = 2^31 - 1 and one more: {}", result(both), result(one), result(edge));

  std::mt19937_64 random(1);
  for (; findings.checked < 2000; ++findings.checked) {
    dot_inputs dot = ones(1 + static_cast<unsigned>(random() % k), 0, 0, 0);
    for (auto& element : dot.a) element = random() & types.a.storage_mask();
    for (auto& element : dot.b) element = random() & types.b.storage_mask();
    const std::int32_t edges[] = {0, word_limits::max(), word_limits::min(), static_cast<std::int32_t>(random() & 0xffffffff)};
    dot.c = static_cast<std::uint32_t>(edges[random() % 4]);
    if (result(dot) == overflow->result(exact_sum(dot, types, *multiply))) continue;
    findings.unexplained = dot;
    break;
  }
  return findings;
}

}  // namespace tc::study
