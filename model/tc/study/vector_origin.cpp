// SPDX-License-Identifier: Apache-2.0
#include "vector_origin.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tc::study {
namespace {

using isa::architecture;

struct origin_word {
  std::string_view word;
  architecture arch;
};

// Words in names of devices (NVIDIA, CUDA GPU compute capability); those that say less come last.
constexpr std::array<origin_word, 41> device_words{
    {{"v100", architecture::sm_70},  {"gv100", architecture::sm_70}, {"v", architecture::sm_70},      {"t4", architecture::sm_75},
     {"2060", architecture::sm_75},  {"2070", architecture::sm_75},  {"2080", architecture::sm_75},   {"a100", architecture::sm_80},
     {"a30", architecture::sm_80},   {"a800", architecture::sm_80},  {"a2", architecture::sm_86},     {"a10", architecture::sm_86},
     {"a10g", architecture::sm_86},  {"a16", architecture::sm_86},   {"a40", architecture::sm_86},    {"a4000", architecture::sm_86},
     {"a5000", architecture::sm_86}, {"a6000", architecture::sm_86}, {"3060", architecture::sm_86},   {"3070", architecture::sm_86},
     {"3080", architecture::sm_86},  {"3090", architecture::sm_86},  {"l4", architecture::sm_89},     {"l20", architecture::sm_89},
     {"l40", architecture::sm_89},   {"l40s", architecture::sm_89},  {"ada", architecture::sm_89},    {"4060", architecture::sm_89},
     {"4070", architecture::sm_89},  {"4080", architecture::sm_89},  {"4090", architecture::sm_89},   {"h20", architecture::sm_90},
     {"h100", architecture::sm_90},  {"h200", architecture::sm_90},  {"h800", architecture::sm_90},   {"gh200", architecture::sm_90},
     {"b100", architecture::sm_100}, {"b200", architecture::sm_100}, {"gb200", architecture::sm_100}, {"quadro", architecture::sm_75},
     {"titan", architecture::sm_75}}};

/// The letters and digits of a text in lower case, everything else a blank; one more blank at both ends.
std::string spaced_words(std::string_view text) {
  std::string words = " ";
  for (const char each : text) {
    const auto letter = static_cast<unsigned char>(each);
    words += std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : ' ';
  }
  return words + ' ';
}

/// The architecture that a device's name contains as "sm_90".
std::optional<architecture> find_target(std::string_view origin) {
  const auto begin = origin.find("sm_");
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = origin.find_first_not_of("0123456789", begin + 3);
  return isa::find_architecture(origin.substr(begin, end == std::string_view::npos ? end : end - begin));
}

}  // namespace

std::optional<architecture> architecture_of_origin(std::string_view origin) {
  for (const isa::architecture_info& each : isa::all_architectures())
    if (each.generation == origin) return each.arch;
  if (const auto target = find_target(origin)) return target;
  const std::string words = spaced_words(origin);
  for (const origin_word& each : device_words)
    if (words.find(' ' + std::string(each.word) + ' ') != std::string::npos) return each.arch;
  return std::nullopt;
}

std::string generation_names() {
  std::string names;
  std::string_view last;
  for (const isa::architecture_info& each : isa::all_architectures()) {
    if (each.generation == last) continue;
    last = each.generation;
    names += (names.empty() ? "" : ", ") + std::string(last);
  }
  return names;
}

}  // namespace tc::study
