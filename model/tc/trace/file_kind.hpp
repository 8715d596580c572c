// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tc::trace {

/// What a file is, of those that are mistaken for each other.
enum class file_kind : std::uint8_t {
  trace,           ///< of tcsim: a text
  packed_trace,    ///< of tcsim
  accelsim_trace,  ///< what the tracer of Accel-Sim writes, or a list of such files
  listing,         ///< of machine code, by nvdisasm or cuobjdump
  elf,             ///< a cubin, or a program with one in it
  ptx,
  other
};

/// The kind of the file that begins so. A few kilobytes are enough.
file_kind kind_of(std::string_view begin);

/// What the file is and which command is for it, to follow "; " in a message. Empty for `other`.
std::string_view advice_on(file_kind kind);

}  // namespace tc::trace
