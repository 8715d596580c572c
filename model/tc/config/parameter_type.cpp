// SPDX-License-Identifier: Apache-2.0
#include "parameter_type.hpp"

namespace tc::config {

const parameter_type* held_type(const parameter_type& type) {
  return std::visit(
      by_form{[](const optional_form& form) { return form.held; }, [](const list_form& form) { return form.element; },
              [](const table_form& form) { return form.entry; }, [](const auto&) -> const parameter_type* { return nullptr; }},
      type.form);
}

}  // namespace tc::config
