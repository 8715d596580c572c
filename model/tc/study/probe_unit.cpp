// SPDX-License-Identifier: Apache-2.0
#include "probe_unit.hpp"

namespace tc::study {

namespace {

std::vector<std::uint32_t> packed(const std::vector<std::uint64_t>& patterns, const numerics::number_format& format) {
  std::vector<std::uint32_t> words(numerics::words_for(static_cast<unsigned>(patterns.size()), format));
  for (std::size_t i = 0; i < patterns.size(); ++i) numerics::set_packed_element(words.data(), i, format, patterns[i]);
  return words;
}

}  // namespace

packed_inputs::packed_inputs(const dot_inputs& inputs, const numerics::dot_product_types& types)
    : a_(packed(inputs.a, types.a)), b_(packed(inputs.b, types.b)), k_(static_cast<unsigned>(inputs.a.size())), c_(inputs.c) {
  if (!types.scaling) return;
  scale_a_ = packed(inputs.scale_a, types.scaling->format);
  scale_b_ = packed(inputs.scale_b, types.scaling->format);
}

std::uint64_t packed_inputs::run(const numerics::dot_product& unit) const {
  if (unit.types().scaling) return unit(a_.data(), b_.data(), scale_a_.data(), scale_b_.data(), k_, c_);
  return unit(a_.data(), b_.data(), k_, c_);
}

}  // namespace tc::study
