// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

#include <tc/machine_code/cubin.hpp>
#include <tc/machine_code/decoder.hpp>

namespace tc::machine_code {

/// Which parts of a cubin are listed.
struct listing_choice {
  std::string function;  ///< empty: all
};

/// Writes the code of a cubin as `nvdisasm -hex` does: instructions with their words, labels in front of what branches go to, names for
/// what relocations put in, and what listings::read_sass() takes besides: registers, constants and shared memory. Throws code_error: a
/// word has no form, or the function is not there.
void write_listing(std::ostream& out, const cubin& code, const listing_choice& choice = {});

}  // namespace tc::machine_code
