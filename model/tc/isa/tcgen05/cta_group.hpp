// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::isa {

/// How many CTAs carry out an instruction together, .cta_group::1 or ::2 (PTX ISA, tcgen05). The CTAs of a pair are those of a cluster
/// whose ranks differ only in bit 0; CTA 0 of the pair is the one of even rank.
enum class cta_group : std::uint8_t { one = 1, two = 2 };

constexpr unsigned ctas(cta_group group) { return static_cast<unsigned>(group); }

}  // namespace tc::isa
