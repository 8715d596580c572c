// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <tc/config/machine.hpp>
#include <tc/config/parameter_type.hpp>
#include <tc/study/error_study.hpp>

#include "parameter_workload.hpp"

namespace tcsim {

/// Formats that `tcsim error` studies.
inline constexpr std::array error_input_names{"f16", "bf16", "tf32", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1"};
inline constexpr std::array error_output_names{"f32", "f16"};

/// Where instructions find A and B.
enum class error_operands : std::uint8_t {
  registers,  ///< mma.sync
  shared,     ///< wgmma
};
BOOST_DESCRIBE_ENUM(error_operands, registers, shared)

/// Dot products of one length to study, as the options of `tcsim error` describe them.
struct error_parameters {
  std::string input = "f16";
  std::string output = "f32";
  error_operands operands = error_operands::registers;
  unsigned k = 1024;
  std::string distribution = "uniform";
  std::uint64_t dots = 1000;
  std::uint64_t seed = 1;
};
BOOST_DESCRIBE_STRUCT(error_parameters, (), (input, output, operands, k, distribution, dots, seed))

inline constexpr auto describe_parameters(const error_parameters*) {
  using tc::config::parameter_note;
  return std::array{
      parameter_note{"input", "", "format of A and B: f16, bf16, tf32, e4m3, e5m2, e3m2, e2m3 or e2m1", ""},
      parameter_note{"output", "", "format of C and the result: f32 or f16", ""},
      parameter_note{"operands", "", "where instructions have A and B: registers (mma.sync) or shared (wgmma)", ""},
      parameter_note{"k", "elements", "length of the dot products", ""},
      parameter_note{"distribution", "", "how the elements of A and B are distributed, see tcsim error --help", ""},
      parameter_note{"dots", "dot products", "how many are computed", ""},
      parameter_note{"seed", "", "what the random elements depend on", ""},
  };
}

/// Throws config_error.
void validate(const error_parameters& parameters, const std::string& path);

/// Names of the distributions.
std::vector<std::string> distribution_names();
/// One of them.
const tc::study::distribution_text& distribution_named(const std::string& name);

/// How a machine computes dot products of these formats. Throws std::invalid_argument if it does not.
tc::study::studied_datapath studied_datapath_of(const std::string& name, const tc::config::machine& machine,
                                                const tc::numerics::number_format& input, const tc::numerics::number_format& output,
                                                error_operands operands);

/// The error of a machine's dot products, as of `tcsim error`. Nothing is simulated.
class error_workload final : public parameter_workload<error_workload, error_parameters> {
 public:
  static constexpr bool makes_code = false;
  static constexpr bool takes_time = false;
  static constexpr const char* kind_name = "error";
  using parameter_workload::parameter_workload;

  std::vector<std::string> arguments() const override;

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;

 private:
  tc::study::studied_datapath datapath_of(const tc::config::machine& machine) const;
};

}  // namespace tcsim
