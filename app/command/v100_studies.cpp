// SPDX-License-Identifier: Apache-2.0
#include "v100_studies.hpp"

#include <algorithm>
#include <iterator>

namespace tcsim {

namespace {

/// A row of both studies; `f16_*` where results in f16 differ, else null.
struct study_row {
  std::string_view key;
  const char *fasi, *hickmann, *f16_fasi, *f16_hickmann;
};

constexpr study_row rows[] = {
    {"summation", "fused sums, chained", "(C + (T0 + T1)) + (T2 + T3)", nullptr, nullptr},
    {"group_length", "4", "4", nullptr, nullptr},
    {"alignment_fraction_bits", "23", "23", nullptr, nullptr},
    {"addend", "in the first group", "with T0 + T1", nullptr, nullptr},
    {"output_rounding", "toward zero", "toward zero", "to nearest even", "to nearest even"},
    {"kept_fraction_bits", "23", "23", "10", "10"},
    {"flush_subnormals", "kept", "flushed to zero", "kept", "kept"},
    {"subnormal_operands", "kept", "kept", nullptr, nullptr},
    {"term_truncation", "toward zero", "toward zero", nullptr, nullptr},
    {"product_normalisation", "no", "-", nullptr, nullptr},
    {"element_order", "no", "-", nullptr, nullptr},
    {"carries", "no: 2 carry bits or more", "-", nullptr, nullptr},
};

}  // namespace

v100_answer v100_answer_to(std::string_view key, bool to_f16) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows), [key](const study_row& r) { return r.key == key; });
  if (row == std::end(rows)) return {"-", "-"};
  if (to_f16 && row->f16_fasi != nullptr) return {row->f16_fasi, row->f16_hickmann};
  return {row->fasi, row->hickmann};
}

}  // namespace tcsim
