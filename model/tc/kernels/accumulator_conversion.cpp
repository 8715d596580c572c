// SPDX-License-Identifier: Apache-2.0
#include "accumulator_conversion.hpp"

#include <optional>

#include <tc/isa/syntax_error.hpp>
#include <tc/isa/wmma_layout.hpp>

namespace tc::kernels {
namespace {

/// The register of `words` where every lane holds what it holds in an element of a register of `halves`.
std::optional<unsigned> find_word(const isa::fragment_layout& halves, unsigned reg, unsigned element, const isa::fragment_layout& words) {
  for (unsigned word = 0; word < words.registers(); ++word) {
    bool equal = true;
    for (unsigned lane = 0; lane < isa::fragment_layout::lanes; ++lane)
      equal = equal && halves.position(lane, reg, element) == words.position(lane, word, 0);
    if (equal) return word;
  }
  return std::nullopt;
}

}  // namespace

accumulator_conversion::accumulator_conversion(const isa::mma_operation& mma, isa::architecture arch) {
  isa::mma_operation in_halves = mma, in_words = mma;
  in_halves.c = in_halves.d = isa::element_type::f16;
  in_words.c = in_words.d = isa::element_type::f32;
  const auto halves = isa::wmma_layout(in_halves, isa::fragment::c, arch), words = isa::wmma_layout(in_words, isa::fragment::c, arch);
  for (unsigned reg = 0; reg < halves->registers(); ++reg) {
    const auto low = find_word(*halves, reg, 0, *words), high = find_word(*halves, reg, 1, *words);
    if (!low || !high)
      throw isa::syntax_error(1, "how C of one type and D of another are computed on " + std::string(isa::name(arch)) +
                                     " is not known: their elements lie in different lanes; give both the same type");
    pairs_.push_back({*low, *high});
  }
}

/// The instruction that compilers convert with; a negative zero is what changes nothing.
void accumulator_conversion::widen(const std::vector<unsigned>& halves, const std::vector<unsigned>& words, machine_writer& out) const {
  for (unsigned i = 0; i < pairs_.size(); ++i) {
    const std::string half = register_text(halves[i]);
    out.add("HADD2.F32 " + register_text(words[pairs_[i].low]) + ", -RZ, " + half + ".H0_H0");
    out.add("HADD2.F32 " + register_text(words[pairs_[i].high]) + ", -RZ, " + half + ".H1_H1");
  }
}

void accumulator_conversion::narrow(const std::vector<unsigned>& words, const std::vector<unsigned>& halves, machine_writer& out) const {
  const std::string pack = std::string(isa::info(out.arch()).pack_halves) + ' ';
  for (unsigned i = 0; i < pairs_.size(); ++i)
    out.add(pack + register_text(halves[i]) + ", " + register_text(words[pairs_[i].high]) + ", " + register_text(words[pairs_[i].low]));
}

}  // namespace tc::kernels
