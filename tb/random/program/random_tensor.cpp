// SPDX-License-Identifier: Apache-2.0
#include "random_tensor.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tcsim::random_programs {

namespace {

constexpr unsigned tensor_unit_bytes = 16, most_units = 16, most_box_elements = 256, most_span = 2048;
constexpr std::array<unsigned, 4> swizzles{0, 32, 64, 128};

/// An element type of a tensor (CUDA driver API, CUtensorMapDataType). Said once more than in the parser of traces, whose table is what is
/// tried.
struct tensor_type {
  std::string_view name;
  unsigned bytes;
  bool has_nan;
};
constexpr std::array<tensor_type, 10> tensor_types{{{"u8", 1, false},
                                                    {"u16", 2, false},
                                                    {"u32", 4, false},
                                                    {"s32", 4, false},
                                                    {"u64", 8, false},
                                                    {"s64", 8, false},
                                                    {"f16", 2, true},
                                                    {"bf16", 2, true},
                                                    {"f32", 4, true},
                                                    {"f64", 8, true}}};

template <class Number, std::size_t Count>
std::string list(const std::array<Number, Count>& values, unsigned first, unsigned count) {
  return fmt::format("{}", fmt::join(values.begin() + first, values.begin() + first + count, " "));
}

/// Draws one tensor, which may be too large.
class tensor_writer {
 public:
  tensor_writer(random_numbers& random, bool is_written) : random_(random), is_written_(is_written) {}

  random_tensor draw(std::uint64_t base) {
    const tensor_type& type = random_.pick(tensor_types);
    tensor_.type = type.name;
    tensor_.element_bytes = type.bytes;
    tensor_.has_nan = type.has_nan && random_.chance(50);
    tensor_.base = base;
    tensor_.is_im2col = !is_written_ && random_.chance(35);
    tensor_.rank = tensor_.is_im2col ? random_.between(3, 5) : random_.between(1, is_written_ ? 3 : 5);
    if (random_.chance(60)) tensor_.swizzle_bytes = random_.pick(swizzles);
    const unsigned widest = tensor_.swizzle_bytes != 0 ? tensor_.swizzle_bytes / tensor_unit_bytes : most_units;
    const unsigned row = std::min(random_.between(1, widest) * tensor_unit_bytes / type.bytes, most_box_elements);
    tensor_.sizes[0] = random_.between(1, 2 * row);
    for (unsigned d = 1; d < tensor_.rank; ++d) {
      tensor_.sizes.at(d) = random_.between(1, 7);
      if (random_.chance(25)) tensor_.element_strides.at(d) = random_.between(1, 4);
    }
    if (tensor_.is_im2col)
      draw_window(row);
    else
      draw_box(row);
    draw_strides();
    return tensor_;
  }

 private:
  void draw_box(unsigned row) {
    tensor_.box[0] = row;
    for (unsigned d = 1; d < tensor_.rank; ++d) tensor_.box.at(d) = random_.between(1, 5);
  }

  /// The window has a pixel, and reaches out of the tensor or stays inside.
  void draw_window(unsigned row) {
    tensor_.channels = row;
    tensor_.pixels = random_.between(1, 40);
    tensor_.element_strides.at(tensor_.rank - 1) = 1;
    for (unsigned d = 1; d + 1 < tensor_.rank; ++d) {
      const int size = static_cast<int>(tensor_.sizes.at(d));
      tensor_.lower.at(d - 1) = static_cast<int>(random_.below(4)) - 2;
      tensor_.upper.at(d - 1) = std::max(static_cast<int>(random_.below(4)) - 2, tensor_.lower.at(d - 1) + 1 - size);
    }
  }

  void draw_strides() {
    unsigned extent = tensor_.sizes[0] * tensor_.element_bytes;
    for (unsigned d = 1; d < tensor_.rank; ++d) {
      const unsigned least = is_written_ ? (extent + tensor_unit_bytes - 1) / tensor_unit_bytes : 1;
      tensor_.strides.at(d) = (least + (random_.chance(60) ? 0 : random_.below(20))) * tensor_unit_bytes;
      extent = std::max(extent, tensor_.strides.at(d) * tensor_.sizes.at(d));
    }
  }

  random_numbers& random_;
  bool is_written_;
  random_tensor tensor_;
};

/// From the first byte of a tensor to its last.
unsigned reach(const random_tensor& tensor) {
  unsigned last = tensor.sizes[0] * tensor.element_bytes;
  for (unsigned d = 1; d < tensor.rank; ++d) last += (tensor.sizes.at(d) - 1) * tensor.strides.at(d);
  return last;
}

}  // namespace

unsigned random_tensor::rows() const {
  if (is_im2col) return pixels;
  unsigned result = 1;
  for (unsigned d = 1; d < rank; ++d) result *= (box.at(d) + element_strides.at(d) - 1) / element_strides.at(d);
  return result;
}

std::string random_tensor::header_line(std::uint64_t address) const {
  std::string text =
      fmt::format("tensor-map {:#x} {} {} base {:#x} sizes {}", address, is_im2col ? "im2col" : "tiled", type, base, list(sizes, 0, rank));
  if (rank > 1) text += " strides " + list(strides, 1, rank - 1);
  if (is_im2col)
    text += fmt::format(" lower {} upper {} channels {} pixels {}", list(lower, 0, rank - 2), list(upper, 0, rank - 2), channels, pixels);
  else
    text += " box " + list(box, 0, rank);
  text += " element-strides " + list(element_strides, 0, rank);
  if (swizzle_bytes != 0) text += fmt::format(" swizzle {}B", swizzle_bytes);
  return text + (has_nan ? " fill nan\n" : "\n");
}

std::string random_tensor::dimensions() const { return fmt::format("{}d", rank); }

std::string random_tensor::random_coordinates(random_numbers& random) const {
  std::array<int, most_dimensions> first{};
  for (unsigned d = 0; d < rank; ++d) {
    const bool is_window = is_im2col && d > 0 && d + 1 < rank;
    const int begin = is_window ? lower.at(d - 1) : -static_cast<int>(random.chance(50) ? 0 : random.below(2 * box.at(d) + 2));
    const int end = static_cast<int>(sizes.at(d)) + (is_window ? upper.at(d - 1) : 1);
    first.at(d) = begin + static_cast<int>(random.below(static_cast<unsigned>(end - begin)));
  }
  return fmt::format("{{{}}}", fmt::join(first.begin(), first.begin() + rank, ", "));
}

std::string random_tensor::random_offsets(random_numbers& random) const {
  if (!is_im2col) return {};
  std::array<unsigned, 3> offsets{};
  for (unsigned& offset : offsets) offset = random.below(4);
  return fmt::format(", {{{}}}", fmt::join(offsets.begin(), offsets.begin() + rank - 2, ", "));
}

random_tensor make_random_tensor(random_numbers& random, std::uint64_t base, unsigned bytes, bool is_written) {
  for (;;) {
    random_tensor tensor = tensor_writer(random, is_written).draw(base);
    const unsigned taken = reach(tensor);
    if (taken > bytes || tensor.span() > most_span) continue;
    tensor.base += random.below((bytes - taken) / tensor_unit_bytes + 1) * tensor_unit_bytes;
    return tensor;
  }
}

}  // namespace tcsim::random_programs
