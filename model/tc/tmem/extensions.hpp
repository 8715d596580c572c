// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tlm>

#include <tc/isa/tcgen05/tensor_access.hpp>

namespace tc::tmem {

/// Says that the columns of a transaction of the tensor core are part of a wave, which moves them a few at a time: the first ones moved, or
/// will move, `begin`. A transaction may come when its last columns move, and then takes no time that has passed.
///
/// Ignorable and sticky: every field is rewritten on each use.
struct column_wave final : tlm::tlm_extension<column_wave> {
  sc_core::sc_time begin{};  ///< absolute

  tlm::tlm_extension_base* clone() const override { return new column_wave(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const column_wave&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static column_wave& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<column_wave>();
    if (extension == nullptr) payload.set_extension(extension = new column_wave);
    return *extension;
  }
};

/// With TLM_IGNORE_COMMAND: a shift (tcgen05.shift). In 8 columns every lane takes the cells of the next one; the last lane of each chunk
/// of 32 keeps its own (measured on a B200, public SASS documentation project). The answer comes when a commit may tell of it; columns that
/// do not exist are answered with TLM_ADDRESS_ERROR_RESPONSE.
///
/// A payload that carries it is used for nothing else; every field is rewritten on each use.
struct lane_shift final : tlm::tlm_extension<lane_shift> {
  static constexpr unsigned columns = 8;

  unsigned first_column = 0;
  bool noted = false;              ///< set by a memory that shifts
  sc_core::sc_time moved_after{};  ///< set by it: from now until the cells have moved

  tlm::tlm_extension_base* clone() const override { return new lane_shift(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const lane_shift&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static lane_shift& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<lane_shift>();
    if (extension == nullptr) payload.set_extension(extension = new lane_shift);
    return *extension;
  }
};

/// Says of which shape a warp's load or store is, from which follows in which order its registers go through the banks. The transaction
/// covers the columns of the access; of .16x32bx2 each half is a transaction of its own. One without the tag moves column after column, as
/// .32x32b does.
///
/// Ignorable and sticky: every field is rewritten on each use.
struct warp_access final : tlm::tlm_extension<warp_access> {
  isa::tensor_access_shape shape = isa::tensor_access_shape::lanes32_bits32;
  unsigned repeat = 1;
  bool packed = false;

  tlm::tlm_extension_base* clone() const override { return new warp_access(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const warp_access&>(other); }

  /// The payload's tag; attached on first use and owned by the payload from then on.
  static warp_access& of(tlm::tlm_generic_payload& payload) {
    auto* tag = payload.get_extension<warp_access>();
    if (tag == nullptr) payload.set_extension(tag = new warp_access);
    return *tag;
  }
};

}  // namespace tc::tmem
