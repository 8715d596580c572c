#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tc::numerics::test {

/// One recorded element of D: a row of A and a column of B, packed, and the bits of C and D.
struct dot_case {
  std::vector<std::uint32_t> a, b;
  std::uint32_t c = 0, d = 0;
};

/// Dot products that a GPU returned, or that the public simulator MMA-Sim computed.
struct dot_recording {
  std::string architecture;            ///< "hopper", "volta", ...
  std::string a, b, accumulator;       ///< format names
  std::vector<std::string> modifiers;  ///< what follows the formats in the instruction: satfinite, xor, ...
  unsigned k = 0;                      ///< elements of a row
  std::vector<dot_case> cases;
};

/// Folder with the recordings hopper-h200/*.bin.xz and mma-sim/*.dot.xz: the shared one if it is there (environment variable TCSIM_SHARED,
/// or beside the sources), else the subset that comes with the sources. Prints which.
std::filesystem::path recordings_folder();

/// Reads fragments of mma.sync or wgmma and gathers rows and columns from lanes and registers (PTX ISA, fragment layouts of mma and wgmma).
/// Throws std::runtime_error if the file is truncated or not of this kind.
dot_recording read_fragments(const std::filesystem::path& file);

/// Reads dot products, an element a word. Throws std::runtime_error like read_fragments.
dot_recording read_dots(const std::filesystem::path& file);

}  // namespace tc::numerics::test
