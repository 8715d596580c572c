// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include <tc/machine_code/cubin.hpp>
#include <tc/machine_code/decoder.hpp>

namespace tc::machine_code {

/// Which parts of a cubin are listed.
struct listing_choice {
  std::string function;  ///< empty: all
};

/// The words of a listing that no form fits.
struct unknown_words {
  std::size_t count = 0;
  std::string first;  ///< where the first is, and its digits: "copies, byte 0x0020: 00000a00ff017b82 000fe20000000800".
};

/// Writes the code of a cubin as `nvdisasm -hex` does: instructions with their words, labels in front of what branches go to, names for
/// what relocations put in, and what listings::read_sass() takes besides: registers, constants and shared memory. A word that no form
/// fits is written as unknown_text(), and counted. Throws code_error: the function is not there.
unknown_words write_listing(std::ostream& out, const cubin& code, const listing_choice& choice = {});

}  // namespace tc::machine_code
