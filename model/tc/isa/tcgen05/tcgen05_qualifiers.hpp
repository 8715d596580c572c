// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/mma_form.hpp>

namespace tc::isa {

/// The sorts of qualifiers in the names of tcgen05 instructions.
enum class tcgen05_qualifier : std::uint8_t {
  sync,
  aligned,
  cta_group,
  b32,
  b64,
  shared_cta,
  shared_cluster,
  arrival,       ///< .mbarrier::arrive::one
  multicast,     ///< .multicast::cluster
  direction,     ///< .down
  access_shape,  ///< of ld and st
  repeat,        ///< .x1 to .x128
  pack,
  unpack,
  copy_shape,
  copy_multicast,   ///< .warpx4 and the two .warpx2
  unpacked_format,  ///< .b8x16
  packed_format,    ///< .b4x16_p64, .b6x16_p32
  sparse,           ///< .sp
  kind,
  block_scale,
  scale_vector,  ///< .scale_vec::1X and so on, .block16, .block32
  shift_a,       ///< .ashift
  collector_a,
  collector_b,
};

/// The qualifiers of a tcgen05 instruction. They may stand in any order, as the assembler takes them, but there is only one of a sort.
class tcgen05_qualifiers {
 public:
  using sorts = std::initializer_list<tcgen05_qualifier>;

  /// Takes all that `statement` has, which messages call `name`. Those of `required` must be there, those of `optional` may be. Throws
  /// syntax_error.
  tcgen05_qualifiers(ptx_statement& statement, std::string_view name, sorts required, sorts optional = {});

  bool has(tcgen05_qualifier sort) const { return !(*this)[sort].empty(); }
  /// The qualifier of a sort without its dot, a part of the source; empty if there is none.
  std::string_view operator[](tcgen05_qualifier sort) const { return texts_.at(static_cast<std::size_t>(sort)); }
  /// Of an instruction that must have .cta_group.
  cta_group group() const { return (*this)[tcgen05_qualifier::cta_group] == "cta_group::2" ? cta_group::two : cta_group::one; }

 private:
  static constexpr std::size_t sort_count = static_cast<std::size_t>(tcgen05_qualifier::collector_b) + 1;

  std::array<std::string_view, sort_count> texts_{};
};

}  // namespace tc::isa
