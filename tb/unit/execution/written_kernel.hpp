// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <scratch_folder.hpp>
#include <string>
#include <vector>

#include <tc/execution/grid_execution.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::test {

/// A kernel that a test writes as instructions and labels, and a launch of it. Its words of machine code are those of a NOP: the execution
/// goes by the text.
class written_kernel {
 public:
  static constexpr std::uint64_t output = 0x10000, input = 0x20000;

  /// Lines of a listing: "MOV R0, 0x1", "L1:". An EXIT is added. `sections`: of data, in front of the code.
  explicit written_kernel(const std::vector<std::string>& lines, const std::string& target = "sm_90a", const std::string& sections = {});

  /// A variable of the module with its content, behind all other memory.
  written_kernel& constant(const std::string& name, std::uint64_t address, const std::vector<std::uint8_t>& bytes);
  written_kernel& cooperative();
  written_kernel& block(std::uint32_t threads);
  written_kernel& grid(std::uint32_t ctas);
  written_kernel& shared(std::uint64_t bytes);
  /// Words of the output's allocation, zeros before the launch: as many as lanes of a warp unless a test asks for others.
  written_kernel& output_words(std::uint64_t words);
  written_kernel& input_words(const std::vector<std::uint32_t>& words);
  written_kernel& limit(std::uint64_t instructions);

  /// What execute() gives.
  execution::execution_result execute() const;
  /// The words of the output behind the launch.
  std::vector<std::uint32_t> run() const;
  /// What a kernel_fault says; empty if there is none.
  std::string fault() const;

 private:
  scratch_folder folder_;
  listings::sass_kernel kernel_;
  launches::launch launch_;
  execution::execution_limits limits_;
};

/// Instructions that write a register of each lane to the output, word by word, by way of R250 to R253.
std::vector<std::string> storing(const std::string& reg);

/// The lines one after the other.
std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts);

}  // namespace tc::test
