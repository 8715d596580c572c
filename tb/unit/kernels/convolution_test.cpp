// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/kernels/convolution_plan.hpp>
#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/convolution_trace.hpp>
#include <tc/kernels/convolution_traffic.hpp>
#include <tc/kernels/shift_window.hpp>
#include <tc/trace/trace.hpp>

#include "gemm_machines.hpp"

namespace convolution_test {

using namespace tc;
using namespace tc::kernels;

namespace {

/// Images of 9 x 9 with filters of 3 x 3, and padding at the left and right alone: the example of P. Luo's notes on the Blackwell tensor
/// core.
convolution_problem example() {
  convolution_problem problem;
  problem.batch = 3;
  problem.image = {9, 9};
  problem.channels = problem.filters = 16;
  problem.filter = {3, 3};
  problem.padding = {0, 1};
  return problem;
}

convolution_plan plan_of(const convolution_problem& problem, convolution_method method, bool shift_with_product = false) {
  convolution_options options;
  options.method = method;
  options.shift_with_product = shift_with_product;
  return make_convolution_plan(problem, options, isa::architecture::sm_100, test::machine_of("blackwell"));
}

/// One channel and one filter, with lanes, shifts, refills and disabled lanes as arrays; the engine's part is left out.
class lane_model {
 public:
  explicit lane_model(const convolution_problem& problem) : problem_(problem), output_(problem.output_pixels(), untouched) {}

  std::vector<int> im2col() {
    const pixel_sequence sequence = im2col_sequence(problem_);
    for (std::uint64_t first = 0; first < sequence.positions(); first += lanes) {
      std::vector<int> sums(lanes);
      for (unsigned r = 0; r < problem_.filter.height; ++r)
        for (unsigned s = 0; s < problem_.filter.width; ++s)
          for (unsigned lane = 0; lane < lanes; ++lane)
            sums[lane] += weight(r, s) * pixel(sequence, static_cast<std::int64_t>(first + lane), r, s);
      store(sequence, first, sums);
    }
    return output_;
  }

  std::vector<int> shift() {
    for (const pixel_sequence& sequence : shift_sequences(problem_))
      for (std::uint64_t first = 0; first < sequence.positions(); first += lanes)
        store(sequence, first, sums_of({sequence, first}, sequence));
    return output_;
  }

  std::vector<int> direct() const {
    std::vector<int> output;
    const auto [height, width] = problem_.image;
    for (unsigned n = 0; n < problem_.batch; ++n)
      for (unsigned p = 0; p < problem_.output_height(); ++p)
        for (unsigned q = 0; q < problem_.output_width(); ++q) {
          int sum = 0;
          for (unsigned r = 0; r < problem_.filter.height; ++r)
            for (unsigned s = 0; s < problem_.filter.width; ++s) {
              const int h = static_cast<int>(p * problem_.stride.height + r * problem_.dilation.height - problem_.padding.height);
              const int w = static_cast<int>(q * problem_.stride.width + s * problem_.dilation.width - problem_.padding.width);
              if (h >= 0 && w >= 0 && h < static_cast<int>(height) && w < static_cast<int>(width)) sum += weight(r, s) * value(n, h, w);
            }
          output.push_back(sum);
        }
    return output;
  }

 private:
  static constexpr unsigned lanes = isa::tensor_lanes;
  static constexpr int untouched = -1'000'000'000;

  static int weight(unsigned r, unsigned s) { return static_cast<int>(7 * r + 3 * s + 1); }
  static int value(std::int64_t n, std::int64_t h, std::int64_t w) {
    return static_cast<int>(1 + 1000 * n + 31 * h * h + 5 * w + h * w % 7);
  }

  /// What an im2col copy brings: an element of the map of the tap's remainders, or zero.
  int pixel(const pixel_sequence& sequence, std::int64_t position, unsigned r, unsigned s) const {
    const pixel_place at = sequence.element(position);
    const pixel_direction::tap h = sequence.h.tap_at(r), w = sequence.w.tap_at(s);
    const std::int64_t row = at.h + h.offset, column = at.w + w.offset;
    const bool inside = at.image >= 0 && at.image < problem_.batch && row >= 0 && row < sequence.h.elements(h.remainder) && column >= 0 &&
                        column < sequence.w.elements(w.remainder);
    return inside ? value(at.image, row * sequence.h.apart() + h.remainder, column * sequence.w.apart() + w.remainder) : 0;
  }

  std::vector<int> sums_of(const shift_window& window, const pixel_sequence& sequence) const {
    std::vector<int> sums(lanes), held(lanes);
    for (unsigned r = 0; r < problem_.filter.height; ++r)
      for (unsigned s = 0; s < problem_.filter.width; ++s) {
        if (s == 0)
          for (unsigned lane = 0; lane < lanes; ++lane) held[lane] = pixel(sequence, window.position(0, 0) + lane, r, 0);
        else
          step_on(held, window, sequence, r, s);
        const shift_window::disabled_words off = window.disabled_lanes(s);
        for (unsigned lane = 0; lane < lanes; ++lane)
          if ((off.at(lane / 32) >> lane % 32 & 1U) == 0) sums[lane] += weight(r, s) * held[lane];
      }
    return sums;
  }

  void step_on(std::vector<int>& held, const shift_window& window, const pixel_sequence& sequence, unsigned r, unsigned s) const {
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (lane % 32 != 31) held[lane] = held[lane + 1];
    for (unsigned chunk = 0; chunk < 4; ++chunk) held[32 * chunk + 31] = pixel(sequence, window.refills(s).at(chunk), r, 0);
  }

  /// Each output is stored once.
  void store(const pixel_sequence& sequence, std::uint64_t first, const std::vector<int>& sums) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::int64_t output = sequence.output_pixel(first + lane, problem_.output_width());
      if (output < 0) continue;
      EXPECT_EQ(output_.at(static_cast<std::size_t>(output)), untouched);
      output_.at(static_cast<std::size_t>(output)) = sums[lane];
    }
  }

  const convolution_problem problem_;
  std::vector<int> output_;
};

/// Calls `visit` with problems whose rows of outputs are shorter, as long, and longer than those of the input.
void for_each_problem(const std::function<void(const convolution_problem&)>& visit) {
  for (const image_extent image : {image_extent{1, 1}, {5, 3}, {9, 9}, {4, 17}, {7, 130}})
    for (const image_extent filter : {image_extent{1, 1}, {3, 3}, {2, 5}, {1, 4}})
      for (const image_extent padding : {image_extent{0, 0}, {0, 1}, {1, 2}, {3, 6}})
        for (const image_extent dilation : {image_extent{1, 1}, {2, 1}, {1, 2}, {2, 3}})
          for (const unsigned stride : {1u, 2u, 3u}) {
            convolution_problem problem;
            problem.batch = 3;
            problem.image = image;
            problem.channels = problem.filters = 1;
            problem.filter = filter;
            problem.padding = padding;
            problem.dilation = dilation;
            problem.stride = {stride, 1};
            if (problem.output_pixels() != 0) visit(problem);
          }
}

std::string text_of(const convolution_problem& problem) {
  const auto pair = [](image_extent extent) { return std::to_string(extent.height) + "x" + std::to_string(extent.width); };
  return "image " + pair(problem.image) + " filter " + pair(problem.filter) + " padding " + pair(problem.padding) + " stride " +
         pair(problem.stride) + " dilation " + pair(problem.dilation);
}

/// The operations on tensor memory that a warp of the first CTA executes.
template <class Operation>
std::vector<Operation> operations(const convolution_plan& plan, unsigned warp) {
  const convolution_program program(plan);
  const convolution_tensors tensors{
      std::vector<std::uint8_t>(plan.problem.input_bytes()), std::vector<std::uint8_t>(plan.problem.filter_bytes()), {}};
  convolution_trace text(plan, program, tensors);
  std::istream in(&text);
  const trace::trace trace = trace::trace::read(in, "convolution");
  trace::warp_player player = trace.play(trace.ctas().at(0), warp);
  std::vector<Operation> found;
  for (trace::step step; player.next(step);)
    if (const auto* const operation = isa::tcgen05_of(*step.code))
      if (const auto* const wanted = std::get_if<Operation>(operation)) found.push_back(*wanted);
  return found;
}

/// The plan must be refused, with all of `words` in the message.
void expect_refusal(const std::function<void(convolution_problem&)>& change, convolution_method method,
                    const std::vector<std::string>& words) {
  convolution_problem problem = example();
  change(problem);
  try {
    plan_of(problem, method);
    FAIL() << "not refused; expected: " << words.front();
  } catch (const convolution_error& error) {
    for (const std::string& word : words) EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

}  // namespace

// Lanes whose tap is beside the image's row, and the pixels that come to lanes 31, 63, 95 and 127.
TEST(shift_window, disables_and_refills_the_lanes_of_the_example) {
  const std::vector<pixel_sequence> sequences = shift_sequences(example());
  ASSERT_EQ(sequences.size(), 1u);
  const shift_window window(sequences[0], 0);
  using words = shift_window::disabled_words;
  EXPECT_EQ(window.disabled_lanes(0), (words{0x08040201, 0x80402010, 0x04020100, 0x40201008}));
  EXPECT_EQ(window.disabled_lanes(1), (words{0, 0, 0, 0}));
  EXPECT_EQ(window.disabled_lanes(2), (words{0x04020100, 0x40201008, 0x02010080, 0x20100804}));
  using positions = shift_window::refill_positions;
  EXPECT_EQ(window.refills(1), (positions{31, 63, 95, 127}));
  EXPECT_EQ(window.refills(2), (positions{32, 64, 96, 128}));
  EXPECT_EQ(window.position(0, 0), -1) << "padding";
  EXPECT_EQ(sequences[0].element(-1).image, -1) << "of no image: copies put zero";
}

TEST(convolution_lanes, both_methods_are_direct_convolutions) {
  for_each_problem([](const convolution_problem& problem) {
    const std::vector<int> direct = lane_model(problem).direct();
    ASSERT_EQ(lane_model(problem).shift(), direct) << text_of(problem);
    convolution_problem strided = problem;
    strided.stride.width = problem.stride.height == 2 ? 3 : 1;
    ASSERT_EQ(lane_model(strided).im2col(), lane_model(strided).direct()) << text_of(strided);
    convolution_problem far = problem;  // farther than element strides reach
    far.stride = {11, problem.stride.height == 2 ? 20U : 1U};
    far.dilation.width = 9;
    if (far.output_pixels() == 0) return;
    ASSERT_EQ(lane_model(far).im2col(), lane_model(far).direct()) << text_of(far);
    if (far.stride.width == 1) {
      ASSERT_EQ(lane_model(far).shift(), lane_model(far).direct()) << text_of(far);
    }
  });
}

TEST(convolution_plan, columns_modulo_the_dilation_have_sequences_of_their_own) {
  convolution_problem problem = example();
  problem.dilation.width = 2;
  const std::vector<pixel_sequence> sequences = shift_sequences(problem);
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(sequences[0].pixel(0, 0, 0).w, 1) << "output 0 has taps in columns -1, 1 and 3";
  EXPECT_EQ(sequences[0].padding, 1u);
  EXPECT_EQ(sequences[1].pixel(0, 0, 0).w, 0);
  EXPECT_EQ(sequences[1].padding, 0u);
  EXPECT_EQ(sequences[0].pixel(1, 0, 0).w, 3);
}

TEST(convolution_plan, traffic_of_a_shift_is_that_of_a_tap_and_refills) {
  const convolution_traffic each = traffic_of(plan_of(example(), convolution_method::im2col)),
                            moved = traffic_of(plan_of(example(), convolution_method::shift));
  EXPECT_EQ(each.ctas, 2u);
  EXPECT_EQ(each.shared_activations, 2u * 9 * 4096);
  EXPECT_EQ(moved.shared_activations, 2u * 3 * (4096 + 2 * 128));
  EXPECT_EQ(moved.products, each.products);
  EXPECT_EQ(moved.shifts, 2u * 3 * 2);
  EXPECT_EQ(moved.disabled_lanes, 3u * (15 + 14 + 14 + 14)) << "of both tiles, in the three rows of the filter";
  EXPECT_EQ(each.shared_padding, 32u * (3 * 21 * 2 + 9 * (256 - 189))) << "the edges, and what lies behind the last output";
}

TEST(convolution_plan, stages_are_as_many_as_there_is_room_for) {
  convolution_problem problem = example();
  problem.channels = problem.filters = 256;
  const convolution_plan wide = plan_of(problem, convolution_method::im2col);
  EXPECT_EQ(wide.tile_filters, 256u);
  EXPECT_EQ(wide.block_channels, 64u);
  EXPECT_EQ(wide.window_stages, 4u);
  EXPECT_EQ(wide.filter_stages, 4u);
  problem.filter.width = problem.image.width = 13;
  const convolution_plan longer = plan_of(problem, convolution_method::shift);
  EXPECT_LE(longer.shared_bytes, test::machine_of("blackwell").sm.shared_memory.bytes);
  EXPECT_LT(longer.filter_stages, 4u);
  problem.filters = 257;
  EXPECT_EQ(plan_of(problem, convolution_method::shift).filter_tiles, 2u);
  EXPECT_EQ(plan_of(problem, convolution_method::shift).tile_filters, 144u);
}

TEST(convolution_plan, kernels_are_short_enough_to_be_listed) {
  const auto deep = [](auto& changed, unsigned taps) {
    changed.filter = {1, taps};
    changed.padding = {0, 0};
    changed.channels = static_cast<unsigned>(convolution_plan::max_depth);
  };
  convolution_problem problem = example();
  deep(problem, 1);
  EXPECT_EQ(plan_of(problem, convolution_method::im2col).windows(), convolution_plan::max_depth / 64);
  expect_refusal([&](auto& other) { deep(other, 2); }, convolution_method::im2col, {"a sum of 2097152 products", "up to 1048576"});

  const auto dilated = [](auto& changed, unsigned dilation) {
    changed.image = {1, 4 * dilation};
    changed.filter = {1, 2};
    changed.padding = {0, 0};
    changed.dilation = {1, dilation};
  };
  problem = example();
  dilated(problem, convolution_plan::max_pixel_maps);
  EXPECT_EQ(plan_of(problem, convolution_method::shift).pixel_maps.size(), convolution_plan::max_pixel_maps);
  expect_refusal([&](auto& other) { dilated(other, convolution_plan::max_pixel_maps + 1); }, convolution_method::shift,
                 {"a dilation of 1025 makes 1025 sequences", "up to 1024"});
}

TEST(convolution_plan, what_cannot_be_is_refused_with_what_can) {
  const auto shift = convolution_method::shift, im2col = convolution_method::im2col;
  expect_refusal([](auto& problem) { problem.stride.width = 2; }, shift, {"stride_W = 1, not 2", "im2col method"});
  expect_refusal([](auto& problem) { problem.image = {2, 9}; }, im2col, {"no output", "3 taps", "height of the image is 2"});
  expect_refusal([](auto& problem) { problem.padding = {129, 1}; }, im2col, {"-129", "from -128 to 127"});
  expect_refusal(
      [](auto& problem) {
        problem.image = {600, 9}, problem.dilation = {200, 1};
      },
      im2col, {"along H", "-400 pixels", "-128 to 127"});
  expect_refusal(
      [](auto& problem) {
        problem.image = {600, 9}, problem.padding = {128, 0}, problem.dilation = {128, 1};
      },
      im2col, {"tap 2 along H is 256 pixels", "255"});
  expect_refusal([](auto& problem) { problem.channels = 0; }, im2col, {"number of channels is 0", "from 1"});
  expect_refusal([](auto& problem) { problem.batch = problem.filters = 1 << 20; }, im2col, {"a tensor takes", "smaller"});
  config::machine machine = test::machine_of("hopper");
  EXPECT_THROW(make_convolution_plan(example(), {}, isa::architecture::sm_90, machine), convolution_error);
}

// Whatever uses the pixels of a window lies between the copy to its columns and the commit that frees them, in pipelined pairs.
TEST(convolution_trace, products_of_the_example_have_its_disabled_lanes) {
  const convolution_plan plan = plan_of(example(), convolution_method::shift);
  const auto products = operations<isa::tensor_mma_operation>(plan, 1);
  ASSERT_EQ(products.size(), 9u);
  for (unsigned i = 0; i < products.size(); ++i) {
    const auto words = shift_window(plan.sequences[0], 0).disabled_lanes(i % 3);
    EXPECT_EQ(products[i].disabled_lanes, std::vector<std::uint32_t>(words.begin(), words.end()));
    EXPECT_TRUE(products[i].enable_input_d) << "D is cleared before: the first product leaves lanes out";
    EXPECT_EQ(products[i].a_address, plan.a_column(i / 3, 0)) << "no window's columns are those of the one before";
    EXPECT_FALSE(products[i].shift_a);
    EXPECT_EQ(isa::decode_instruction_descriptor(products[i].descriptor, products[i].form).n, 16u);
  }
  EXPECT_EQ(operations<isa::tensor_shift_operation>(plan, 1).size(), 6u);
  const auto copies = operations<isa::tensor_copy_operation>(plan, 1);
  ASSERT_EQ(copies.size(), 3u + 6);
  EXPECT_EQ(copies[1].shape, isa::tensor_copy_shape::rows4_bits256);
  EXPECT_EQ(copies[1].address, isa::encode(isa::tensor_address{31, plan.a_column(0, 0)}));
  EXPECT_EQ(isa::decode_matrix_descriptor(copies[2].descriptor, isa::architecture::sm_100).start, plan.refill_address(0, 2));
}

TEST(convolution_trace, products_move_the_pixels_if_they_are_to) {
  const convolution_plan plan = plan_of(example(), convolution_method::shift, true);
  const auto products = operations<isa::tensor_mma_operation>(plan, 1);
  for (unsigned i = 0; i < products.size(); ++i) EXPECT_EQ(products[i].shift_a, i % 3 < 2) << i;
  EXPECT_TRUE(operations<isa::tensor_shift_operation>(plan, 1).empty());
  EXPECT_EQ(operations<isa::tensor_commit_operation>(plan, 1).size(), 3u + 9 + 6 + 1) << "windows, filters, moves, the end";
}

TEST(convolution_trace, the_first_product_sets_the_sums_where_it_writes_all_lanes) {
  convolution_problem problem = example();
  problem.padding.width = 0;
  const auto products = operations<isa::tensor_mma_operation>(plan_of(problem, convolution_method::shift), 1);
  EXPECT_FALSE(products.at(0).enable_input_d);
  EXPECT_TRUE(products.at(1).enable_input_d);
  EXPECT_TRUE(operations<isa::tensor_mma_operation>(plan_of(example(), convolution_method::im2col), 1).at(0).disabled_lanes.empty());
}

}  // namespace convolution_test
