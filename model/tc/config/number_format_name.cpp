// SPDX-License-Identifier: Apache-2.0
#include "number_format_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace tc::config {

namespace {

/// Names of CUDA, PyTorch and the manuals of other makers. E4M3 is the format that fp8 stands for where nothing else is said: forward
/// passes use it (Micikevicius et al., FP8 Formats for Deep Learning, arXiv 2209.05433).
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> synonyms{{
    {"fp64", "f64"},      {"float64", "f64"},   {"double", "f64"}, {"fp32", "f32"},      {"float32", "f32"}, {"float", "f32"},
    {"fp16", "f16"},      {"float16", "f16"},   {"half", "f16"},   {"bfloat16", "bf16"}, {"fp8", "e4m3"},    {"f8", "e4m3"},
    {"fp8_e4m3", "e4m3"}, {"fp8_e5m2", "e5m2"}, {"fp6", "e3m2"},   {"fp4", "e2m1"},      {"int8", "s8"},     {"i8", "s8"},
    {"uint8", "u8"},      {"int4", "s4"},       {"uint4", "u4"},   {"int32", "s32"},     {"binary", "b1"},   {"int1", "b1"},
}};

std::string name_of_part(std::string_view part) {
  std::string lower;
  for (const char c : part) lower += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto* const found = std::find_if(synonyms.begin(), synonyms.end(), [&](const auto& each) { return each.first == lower; });
  return found == synonyms.end() ? lower : std::string(found->second);
}

}  // namespace

std::string number_format_name(std::string_view name) {
  std::string result;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    result += (begin == 0 ? "" : ".") + name_of_part(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace tc::config
