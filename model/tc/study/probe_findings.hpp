// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/study/probe_space.hpp>

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

}  // namespace tc::study
