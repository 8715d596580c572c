// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tlm>

namespace tc::tmem {

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

}  // namespace tc::tmem
