// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>

namespace tc::device {

/// What a CTA takes of its SM while it is resident.
struct cta_demand {
  unsigned warps = 1;
  unsigned registers = 0;  ///< of a thread
  std::uint64_t shared_bytes = 0;
};

/// Which of an SM's warps, registers, shared memory and CTA slots are taken. Warp w of a CTA lives in sub-core w modulo the sub-cores.
class sm_occupancy {
 public:
  explicit sm_occupancy(const config::sm_parameters& machine);

  /// Which limit keeps the CTA from ever being resident, in words; empty if it fits into an empty SM.
  static std::string refusal(const cta_demand& demand, const config::sm_parameters& machine);
  /// CTAs of a kind that are resident together.
  static unsigned capacity(const cta_demand& demand, const config::sm_parameters& machine);

  bool fits(const cta_demand& demand) const;

  struct place {
    std::uint32_t cta_slot = 0;
    std::uint64_t shared_base = 0;  ///< first byte of the CTA's window
  };
  /// Takes room for a CTA that fits.
  place take(const cta_demand& demand);
  void release(std::uint32_t cta_slot);

  unsigned resident() const { return resident_; }

  /// Warps of a CTA that live in a sub-core.
  static unsigned warps_in(unsigned sub_core, unsigned warps, unsigned sub_cores) { return (warps + sub_cores - 1 - sub_core) / sub_cores; }
  static unsigned warp_slots(const config::sm_parameters& machine) { return machine.max_warps / machine.sub_cores; }

 private:
  /// Windows begin where a line does, so that every CTA finds the same banks at the same offsets.
  static constexpr std::uint64_t window_alignment = 128;
  static constexpr std::uint64_t no_window = ~std::uint64_t{0};

  struct cta {
    bool taken = false;
    cta_demand demand{};
    std::uint64_t shared_base = 0;
  };

  std::uint64_t find_window(std::uint64_t bytes) const;
  unsigned registers_in(unsigned sub_core, const cta_demand& demand) const;
  void count(const cta& resident, bool enters);

  const config::sm_parameters& machine_;
  std::vector<cta> ctas_;                    // by CTA slot
  std::vector<unsigned> warps_, registers_;  // taken, by sub-core
  unsigned resident_ = 0;
};

}  // namespace tc::device
