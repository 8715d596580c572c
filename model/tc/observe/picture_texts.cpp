// SPDX-License-Identifier: Apache-2.0
#include "picture_texts.hpp"

namespace tc::observe {

std::uint32_t picture_texts::number(std::string_view text) {
  const auto [place, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return place->second;
}

std::uint32_t picture_texts::of_instruction(std::uint64_t id) {
  const std::uint32_t* const known = instructions_.find(id);
  return known != nullptr ? *known : number({});
}

boost::json::array picture_texts::json() const {
  boost::json::array list;
  for (const std::string_view text : texts_) list.emplace_back(boost::json::string_view(text.data(), text.size()));
  return list;
}

}  // namespace tc::observe
