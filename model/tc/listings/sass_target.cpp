// SPDX-License-Identifier: Apache-2.0
#include "sass_target.hpp"

#include <string_view>

namespace tc::listings {
namespace {

/// The number in "EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)".
std::optional<listed_target> target_of_flags(trace::text_cursor& in) {
  constexpr std::string_view flag = "EF_CUDA_SM", digits = "0123456789";
  const std::string_view text = in.line().text;
  const std::size_t at = text.find(flag, in.position());
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view number = text.substr(at + flag.size());
  listed_target target{"sm_" + std::string(number.substr(0, number.find_first_not_of(digits))), in.line().number, at + 1};
  if (text.find("EF_CUDA_ACCELERATORS") != std::string_view::npos) target.name += 'a';
  return target;
}

}  // namespace

std::optional<listed_target> target_in(trace::text_cursor in) {
  if (in.accept(".headerflags")) return target_of_flags(in);
  const bool names_it = in.accept(".target") || in.accept("code for ") || (in.accept("arch") && in.accept("="));
  if (!names_it || in.at_end()) return std::nullopt;
  const std::size_t begin = in.position();
  const std::string_view word = in.word();
  return listed_target{std::string(word.substr(0, word.find(','))), in.line().number, begin + 1};
}

}  // namespace tc::listings
