// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <tc/config/parameter_type.hpp>
#include <tc/kernels/convolution_plan.hpp>

#include "parameter_workload.hpp"

namespace tcsim {

/// One way to compute a convolution (kernels::convolution_method).
enum class convolution_choice : std::uint8_t { im2col, shift };
BOOST_DESCRIBE_ENUM(convolution_choice, im2col, shift)

/// A convolution to make a kernel for, as the options of `tcsim conv` describe it.
struct convolution_parameters {
  unsigned batch = 1;
  unsigned height = 0, width = 0;
  unsigned channels = 0;
  unsigned filters = 0;
  unsigned filter_height = 1, filter_width = 1;
  unsigned padding_height = 0, padding_width = 0;
  unsigned stride_height = 1, stride_width = 1;
  unsigned dilation_height = 1, dilation_width = 1;
  convolution_choice method = convolution_choice::shift;
  bool ashift = false;
  unsigned stages = 0;
  std::uint64_t seed = 1;
  bool data = true;
};
BOOST_DESCRIBE_STRUCT(convolution_parameters, (),
                      (batch, height, width, channels, filters, filter_height, filter_width, padding_height, padding_width, stride_height,
                       stride_width, dilation_height, dilation_width, method, ashift, stages, seed, data))

inline constexpr auto describe_parameters(const convolution_parameters*) {
  using tc::config::parameter_note;
  return std::array{
      parameter_note{"batch", "images", "N", ""},
      parameter_note{"height", "pixels", "H of the images", ""},
      parameter_note{"width", "pixels", "W of the images", ""},
      parameter_note{"channels", "channels", "C; padded with zeros to a multiple of 16", ""},
      parameter_note{"filters", "filters", "K: channels of the output", ""},
      parameter_note{"filter_height", "pixels", "R", ""},
      parameter_note{"filter_width", "pixels", "S", ""},
      parameter_note{"padding_height", "pixels", "zeros above and below an image", ""},
      parameter_note{"padding_width", "pixels", "zeros on the left and on the right", ""},
      parameter_note{"stride_height", "pixels", "from an output's to the next's, downwards", ""},
      parameter_note{"stride_width", "pixels", "the same to the right; the shift method needs 1", ""},
      parameter_note{"dilation_height", "pixels", "from a tap to the next, downwards", ""},
      parameter_note{"dilation_width", "pixels", "the same to the right", ""},
      parameter_note{"method", "",
                     "im2col: every tap's pixels are copied to tensor memory; shift: those of a row's first tap, then they move", ""},
      parameter_note{"ashift", "", "shift: tcgen05.mma.ashift moves the pixels instead of tcgen05.shift", ""},
      parameter_note{"stages", "stages", "windows, and tiles of filters, in shared memory, up to 4; 0: chosen", ""},
      parameter_note{"seed", "", "what the random input and filters depend on", ""},
      parameter_note{"data", "", "compute the output and compare it; false: count cycles only", ""},
  };
}

/// Throws config_error.
void validate(const convolution_parameters& parameters, const std::string& path);

tc::kernels::convolution_problem problem_of(const convolution_parameters& parameters);
tc::kernels::convolution_options options_of(const convolution_parameters& parameters);

/// A convolution by one method, as of `tcsim conv`.
class convolution_workload final : public parameter_workload<convolution_workload, convolution_parameters> {
 public:
  static constexpr bool makes_code = true;
  static constexpr bool takes_time = true;
  static constexpr const char* kind_name = "conv";
  using parameter_workload::parameter_workload;

  std::vector<std::string> arguments() const override;

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;
};

}  // namespace tcsim
