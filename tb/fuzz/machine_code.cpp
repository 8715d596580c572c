// SPDX-License-Identifier: Apache-2.0
// Cubins, and the words in them: as listings, and as the code of launches.
#include <sstream>

#include <tc/launches/cubin_kernel.hpp>
#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/code_listing.hpp>
#include <tc/machine_code/cubin.hpp>

#include "support.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  constexpr unsigned most_kernels = 4;
  try {
    const tc::machine_code::cubin code("cubin", std::string(text_of(data, size)));
    if (!tc::machine_code::can_decode(code.arch())) return 0;
    std::ostringstream listing;
    unsigned kernels = 0;
    for (const auto& function : code.functions())
      if (function.is_entry && ++kernels <= most_kernels) tc::launches::kernel_of_cubin(code, function.name);
    tc::machine_code::write_listing(listing, code);
  } catch (const tc::machine_code::code_error& error) {
    require(std::string_view(error.what()).substr(0, 7) == "cubin: ", error.what());
  }
  return 0;
}
