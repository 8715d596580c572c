// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tlm>

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

}  // namespace tc::tmem
