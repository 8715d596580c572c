// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/study/probe_space.hpp>
#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// How sure an answer is.
enum class certainty {
  found,           ///< every other value is contradicted by an experiment
  lower_bound,     ///< the value or any larger one: rows that long, or numbers that small, do not tell
  not_observable,  ///< several values explain every answer
  no_meaning,      ///< the datapath has no such thing
};

/// The answer to one question.
struct finding {
  std::string key;       ///< stable name: that of the parameter, or of the behaviour
  std::string question;  ///< in a few words: "Products a group?"
  std::string answer;    ///< "16", "16 or more", "13 to 48"
  certainty sure = certainty::found;
  std::string reason;    ///< why several values are left
  std::string evidence;  ///< the experiment that shows it, and its result
};

/// What probing a floating-point unit gave.
struct datapath_findings {
  numerics::dot_product_types types;
  unsigned k = 0;                               ///< longest row that was asked for
  numerics::dot_product_parameters parameters;  ///< a description; of the values that cannot be told apart the plainest
  std::vector<finding> answers;                 ///< parameters first, then behaviours that no parameter describes
  std::size_t experiments = 0;                  ///< dot products asked for to find the description
  std::size_t checked = 0;                      ///< random dot products compared with it afterwards
  /// An experiment that the description does not explain; nothing if it explains all.
  std::optional<contradiction> unexplained;

  bool explained() const { return !unexplained; }
};

/// How thoroughly to probe.
struct probe_effort {
  unsigned k = 64;                      ///< longest row, in elements: several groups, so that chains show
  unsigned experiments_a_length = 200;  ///< random experiments for each length of row on the way there
  unsigned checks = 12000;              ///< random dot products that the description found must explain
  std::uint64_t seed = 1;               ///< of all random experiments
};

/// Infers the datapath of a floating-point dot-product unit by calling it.
///
/// Begins with every description that numerics::dot_product can be given, and strikes out what the answers contradict: first in rows of one
/// element, which show widths and rounding, then in longer and longer ones, which show groups and their order. Each length asks the classic
/// experiments of the literature, then random ones aimed at the edges of the descriptions that are left. At the end the description left
/// must explain random dot products, infinities and NaN included. Throws std::invalid_argument for formats that no description takes.
datapath_findings probe_datapath(const unit_under_test& unit, const probe_effort& effort = {});

}  // namespace tc::study
