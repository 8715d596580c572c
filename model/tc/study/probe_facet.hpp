// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::study {

/// A question about a datapath that one parameter answers.
struct facet {
  using parameters = numerics::dot_product_parameters;

  std::string key;       ///< name of the parameter
  std::string question;  ///< "Products a group?"
  std::string cause;     ///< why formats may not show it: "no sum has more bits than the result keeps"
  std::string (*answer)(const parameters&);
  unsigned long (*value)(const parameters&);  ///< the parameter as a number, to sort and compare
  void (*set)(parameters&, unsigned long);
  /// Other values worth excluding, nearest first.
  std::vector<unsigned long> (*others)(const parameters&);
  /// Whether the parameter means anything beside the others.
  bool (*applies)(const parameters&);
  bool excludes_all = false;  ///< whether an answer must exclude all the others, not the nearest alone: values have no order
};

/// The questions, in the order of a report.
const std::vector<facet>& datapath_facets();

}  // namespace tc::study
