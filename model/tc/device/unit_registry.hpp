// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/links/unit_makers.hpp>

namespace tc::device {

/// A program's own units, by the names under which a configuration asks for them (units.dot_products and so on). "model" is the model's
/// own, and no name for others.
struct unit_registry {
  std::map<std::string, links::dot_product_maker> dot_products{};
  std::map<std::string, links::register_bank_maker> register_bank{};
  std::map<std::string, links::tensor_memory_maker> tensor_memory{};
  std::map<std::string, links::global_memory_maker> global_memory{};

  /// The makers that a configuration names. Throws run_error, with the key and the names there are, for one that is not registered.
  links::unit_makers choose(const config::unit_parameters& names) const;
};

}  // namespace tc::device
