// SPDX-License-Identifier: Apache-2.0
#include "convolution_tensors.hpp"

#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/element_type.hpp>
#include <tc/kernels/convolution_problem.hpp>
#include <tc/numerics/number_format.hpp>

#include "interruption.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;

constexpr int largest = 3;                                     // magnitude of an element
constexpr std::uint64_t exact_limit = std::uint64_t{1} << 24;  // of integers in f32

/// Narrow, as processors multiply pairs of these and add the products at once.
using integers = std::vector<std::int16_t>;

/// Integers in order of pixels or taps, without the channels that are only there to fill the last instruction.
integers random_integers(std::size_t count, std::mt19937_64& random) {
  integers numbers(count);
  for (std::int16_t& number : numbers) number = static_cast<std::int16_t>(static_cast<int>(random() % (2 * largest + 1)) - largest);
  return numbers;
}

std::vector<std::uint8_t> packed(const integers& numbers, const kernels::convolution_problem& problem) {
  const std::size_t channels = problem.channels, pitch = problem.padded_channels();
  std::vector<std::uint16_t> elements(numbers.size() / channels * pitch);
  const auto& format = tc::isa::format_of(tc::isa::element_type::f16);
  std::vector<std::uint16_t> codes;  // of the integers, the lowest first
  for (int number = -largest; number <= largest; ++number)
    codes.push_back(static_cast<std::uint16_t>(tc::numerics::encode(number, format)));
  for (std::size_t row = 0; row * channels < numbers.size(); ++row)
    for (std::size_t c = 0; c < channels; ++c)
      elements[row * pitch + c] = codes[static_cast<std::size_t>(numbers[row * channels + c] + largest)];
  std::vector<std::uint8_t> bytes(elements.size() * sizeof elements[0]);
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

/// A direct convolution, one output pixel after the other.
class direct_convolution {
 public:
  direct_convolution(const kernels::convolution_problem& problem, const integers& input, const integers& filters)
      : problem_(problem), input_(input), filters_(filters) {}

  std::vector<float> output() const {
    std::vector<float> sums;
    sums.reserve(problem_.output_pixels() * problem_.filters);
    for (unsigned n = 0; n < problem_.batch; ++n)
      for (unsigned p = 0; p < problem_.output_height(); ++p)
        for (unsigned q = 0; q < problem_.output_width(); ++q) {
          stop_if_interrupted();
          for (const int sum : sums_of(n, p, q)) sums.push_back(static_cast<float>(sum));
        }
    return sums;
  }

 private:
  std::vector<int> sums_of(unsigned n, unsigned p, unsigned q) const {
    std::vector<int> sums(problem_.filters);
    for (unsigned r = 0; r < problem_.filter.height; ++r) {
      // Rows and columns in front of the image wrap to large numbers.
      const unsigned h = p * problem_.stride.height + r * problem_.dilation.height - problem_.padding.height;
      for (unsigned s = 0; s < problem_.filter.width; ++s) {
        const unsigned w = q * problem_.stride.width + s * problem_.dilation.width - problem_.padding.width;
        if (h < problem_.image.height && w < problem_.image.width) add_tap(sums, n, {h, w}, r * problem_.filter.width + s);
      }
    }
    return sums;
  }

  void add_tap(std::vector<int>& sums, unsigned n, kernels::image_extent pixel, unsigned tap) const {
    const std::size_t channels = problem_.channels, taps = std::size_t{problem_.filter.height} * problem_.filter.width;
    const std::int16_t* const from =
        &input_[((std::size_t{n} * problem_.image.height + pixel.height) * problem_.image.width + pixel.width) * channels];
    for (std::size_t k = 0; k < problem_.filters; ++k) {
      const std::int16_t* const weights = &filters_[(k * taps + tap) * channels];
      int sum = 0;
      for (std::size_t c = 0; c < channels; ++c) sum += from[c] * weights[c];
      sums[k] += sum;
    }
  }

  const kernels::convolution_problem& problem_;
  const integers& input_;
  const integers& filters_;
};

}  // namespace

kernels::convolution_tensors make_convolution_tensors(const kernels::convolution_problem& problem, std::uint64_t seed, bool with_output) {
  const std::uint64_t taps = std::uint64_t{problem.filter.height} * problem.filter.width, products = taps * problem.channels;
  if (products * largest * largest >= exact_limit)
    throw kernels::convolution_error(
        fmt::format("a sum has {} products; integers up to {} in magnitude are exact with less than {}: use fewer channels or taps",
                    products, largest, exact_limit / (largest * largest)));
  std::mt19937_64 random(seed);
  const integers input =
      random_integers(std::size_t{problem.batch} * problem.image.height * problem.image.width * problem.channels, random);
  const integers filters = random_integers(problem.filters * products, random);
  kernels::convolution_tensors tensors{packed(input, problem), packed(filters, problem), {}};
  if (with_output) {
    const std::vector<float> output = direct_convolution(problem, input, filters).output();
    tensors.output.resize(output.size() * sizeof output[0]);
    std::memcpy(tensors.output.data(), output.data(), tensors.output.size());
  }
  return tensors;
}

}  // namespace tcsim
