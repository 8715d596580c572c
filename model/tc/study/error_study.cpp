// SPDX-License-Identifier: Apache-2.0
#include "error_study.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tc::study {

namespace {

using numerics::number_format;
using rows = input_generator::rows;

numerics::dot_product fma_chain(const number_format& input) {
  numerics::dot_product_parameters parameters;
  parameters.order = numerics::summation::fma_chain;
  parameters.output_rounding = {numerics::rounding_mode::to_nearest_even, numerics::f32.fraction_bits};
  return numerics::dot_product({input, input, numerics::f32}, parameters);
}

/// C of the first instruction is zero; D of each is C of the next.
std::uint64_t chained(const studied_datapath& datapath, const rows& inputs, unsigned k) {
  const unsigned words = numerics::words_for(datapath.instruction_k, datapath.unit.types().a);
  const std::uint32_t *a = inputs.a.data(), *b = inputs.b.data();
  std::uint64_t accumulator = 0;
  for (unsigned done = 0; done < k; done += datapath.instruction_k, a += words, b += words)
    accumulator = datapath.unit(a, b, std::min(datapath.instruction_k, k - done), accumulator);
  return accumulator;
}

/// The exact sum of the first products of two rows, which can take in more.
class growing_sum {
 public:
  growing_sum(const rows& inputs, const number_format& format) : inputs_(inputs), format_(format) {}

  void grow_to(unsigned k) {
    for (; k_ < k; ++k_) {
      const std::uint64_t a = numerics::packed_element(inputs_.a.data(), k_, format_);
      const std::uint64_t b = numerics::packed_element(inputs_.b.data(), k_, format_);
      sum_.add_product(a, format_, b, format_);
      magnitudes_ += std::abs(numerics::value_of(a, format_) * numerics::value_of(b, format_));
    }
  }
  const exact_accumulator& sum() const { return sum_; }
  double magnitudes() const { return magnitudes_; }

 private:
  const rows& inputs_;
  const number_format& format_;
  unsigned k_ = 0;
  exact_accumulator sum_;
  double magnitudes_ = 0;
};

void check(const std::vector<studied_datapath>& datapaths, const error_study_settings& settings) {
  for (const auto& datapath : datapaths) {
    const auto& types = datapath.unit.types();
    if (types.a != settings.input || types.b != settings.input || types.accumulator != settings.accumulator || types.scaling)
      throw std::invalid_argument("error study: " + datapath.name + " computes other formats than are to be studied");
    if (datapath.instruction_k * settings.input.storage_bits % 32 != 0 || datapath.instruction_k == 0)
      throw std::invalid_argument("error study: the elements of an instruction do not fill words");
  }
}

/// Studies one setting; its lengths ascend.
class error_study {
 public:
  error_study(const std::vector<studied_datapath>& datapaths, const error_study_settings& settings)
      : datapaths_(datapaths), settings_(settings), fma_chain_(fma_chain(settings.input)) {
    for (const unsigned k : settings.lengths) {
      for (const auto& datapath : datapaths) errors_.push_back({datapath.name, k, {}});
      errors_.push_back({fma_chain_name, k, {}});
      errors_.push_back({rounded_once_name, k, {}});
    }
  }

  void add(const rows& inputs) {
    const number_format& format = settings_.accumulator;
    growing_sum exact(inputs, settings_.input);
    auto errors = errors_.begin();
    for (const unsigned k : settings_.lengths) {
      exact.grow_to(k);
      const auto add_result = [&](std::uint64_t result) { (errors++)->statistics.add(result, format, exact.sum(), exact.magnitudes()); };
      for (const auto& datapath : datapaths_) add_result(chained(datapath, inputs, k));
      const std::uint64_t chain = fma_chain_(inputs.a.data(), inputs.b.data(), k, 0);
      add_result(format == numerics::f32 ? chain : numerics::encode(numerics::value_of(chain, numerics::f32), format));
      add_result(exact.sum().rounded(format));
    }
  }

  const std::vector<studied_errors>& errors() const { return errors_; }

 private:
  const std::vector<studied_datapath>& datapaths_;
  const error_study_settings& settings_;
  numerics::dot_product fma_chain_;
  std::vector<studied_errors> errors_;
};

}  // namespace

unsigned instruction_k_of(const number_format& input) { return 256 / std::max(8u, input.storage_bits); }

std::vector<studied_errors> study_errors(const std::vector<studied_datapath>& datapaths, const error_study_settings& settings,
                                         const std::function<void(std::uint64_t)>& progress) {
  check(datapaths, settings);
  error_study_settings ordered = settings;
  std::sort(ordered.lengths.begin(), ordered.lengths.end());
  ordered.lengths.erase(std::unique(ordered.lengths.begin(), ordered.lengths.end()), ordered.lengths.end());
  if (ordered.lengths.empty()) return {};
  error_study study(datapaths, ordered);
  input_generator generator(ordered.distribution, ordered.input, ordered.seed);
  for (std::uint64_t done = 0; done < ordered.dots; ++done) {
    study.add(generator.next(ordered.lengths.back()));
    if (progress) progress(done + 1);
  }
  return study.errors();
}

}  // namespace tc::study
