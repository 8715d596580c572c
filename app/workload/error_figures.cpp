// SPDX-License-Identifier: Apache-2.0
#include "error_figures.hpp"

namespace tcsim {

namespace {

using tc::study::error_measure;
using tc::study::error_statistics;

boost::json::object measure_json(const error_statistics& errors, const error_measure& measure) {
  return {
      {"max", measure.maximum}, {"mean", errors.mean(measure)}, {"rms", errors.root_mean_square(measure)}, {"bias", errors.bias(measure)}};
}

}  // namespace

boost::json::object figures_json(const error_statistics& errors) {
  return {{"results", errors.results()},
          {"not_finite", errors.not_finite()},
          {"exact", errors.exact()},
          {"correctly_rounded", errors.correctly_rounded()},
          {"within_one_ulp", errors.within_one_ulp()},
          {"ulp", measure_json(errors, errors.ulps())},
          {"relative", measure_json(errors, errors.relative())}};
}

}  // namespace tcsim
