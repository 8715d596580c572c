// SPDX-License-Identifier: Apache-2.0
#include "matrix_operand.hpp"

#include <algorithm>
#include <cctype>

#include <tc/isa/register_use.hpp>
#include <tc/isa/syntax_error.hpp>
#include <tc/kernels/machine_writer.hpp>

namespace tc::kernels {

std::string type_suffix(isa::element_type type) {
  std::string text = "." + std::string(isa::name(type));
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string operand_text(const std::vector<unsigned>& names, const std::vector<unsigned>& indices, std::string_view role) {
  const unsigned first = names[indices.front()];
  const auto count = static_cast<unsigned>(indices.size());
  const bool all_zero = std::all_of(indices.begin(), indices.end(), [&](unsigned index) { return names[index] == isa::zero_register; });
  if (all_zero) return register_text(isa::zero_register);
  bool fits = first % count == 0;
  for (unsigned i = 0; i < count; ++i) fits = fits && names[indices[i]] == first + i;
  if (fits) return register_text(first);
  throw isa::syntax_error(1, "the machine takes registers " + std::to_string(indices.front() + 1) + " to " +
                                 std::to_string(indices.back() + 1) + " of " + std::string(role) +
                                 " as one operand: they must follow each other from a multiple of " + std::to_string(count) +
                                 " on, found " + register_text(first));
}

}  // namespace tc::kernels
