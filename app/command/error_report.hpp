// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/study/error_study.hpp>

namespace tcsim {

/// What `tcsim error` found.
struct error_report {
  /// Of one input format.
  struct study {
    std::string input;
    std::vector<tc::study::studied_errors> errors;
    /// A machine has another datapath for operands that lie elsewhere, in shared memory and not in registers or the other way.
    bool depends_on_operands = false;
  };

  tc::study::distribution_text distribution;
  std::string accumulator, operands;  ///< operands: "registers" or "shared", where A and B are
  std::uint64_t dots = 0, seed = 0;
  std::vector<study> studies;
};

/// Tables, and a histogram of the errors of the longest dot products, for people.
std::string error_text(const error_report& report);

/// The same and all histograms, for programs.
std::string error_json(const error_report& report);

}  // namespace tcsim
