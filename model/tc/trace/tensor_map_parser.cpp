// SPDX-License-Identifier: Apache-2.0
#include "tensor_map_parser.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tc/trace/limits.hpp>

namespace tc::trace {
namespace {

// CUDA driver API, cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, without interleaving.
constexpr std::uint64_t alignment = 16, stride_limit = std::uint64_t{1} << 40;
constexpr std::uint64_t max_size = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned max_box = 256, max_element_stride = 8, max_pixels = 1024, first_im2col_rank = 3, corner_bits = 16;

/// An element type of a tensor, as far as copying knows one.
struct tensor_type {
  std::string_view name;
  unsigned bytes;
  bool floating_point;
};

constexpr std::array<tensor_type, 10> types{{{"u8", 1, false},
                                             {"u16", 2, false},
                                             {"u32", 4, false},
                                             {"s32", 4, false},
                                             {"u64", 8, false},
                                             {"s64", 8, false},
                                             {"f16", 2, true},
                                             {"bf16", 2, true},
                                             {"f32", 4, true},
                                             {"f64", 8, true}}};

/// Numbers of a list and where each of them stands.
struct number_list {
  std::size_t keyword = 0;  ///< position of the keyword
  std::vector<std::int64_t> values;
  std::vector<std::size_t> positions;
};

/// Reads one line: first its keywords, each with its list or word, then what they mean together.
class tensor_map_reader {
 public:
  explicit tensor_map_reader(text_cursor& in) : in_(in) {}

  isa::tensor_map read() {
    map_.im2col = choose("the kind of tensor map", {"tiled", "im2col"}) == 1;
    read_type();
    while (!in_.at_end()) read_keyword();
    check_presence();
    take_tensor();
    take_element_strides();
    if (map_.im2col) {
      take_window();
    } else {
      take_box();
    }
    return map_;
  }

 private:
  enum keyword : unsigned { base, sizes, strides, box, lower, upper, channels, pixels, element_strides, swizzle, interleave, fill };
  static constexpr std::array<std::string_view, 12> names{"base",     "sizes",  "strides",         "box",     "lower",      "upper",
                                                          "channels", "pixels", "element-strides", "swizzle", "interleave", "fill"};
  static constexpr unsigned first_word = swizzle;  ///< keywords from here on have a word, the others numbers

  /// Whether a keyword belongs to tiles, or to im2col, alone.
  bool is_foreign(unsigned key) const { return map_.im2col ? key == box : key >= lower && key <= pixels; }
  bool is_required(unsigned key) const { return key < element_strides && !is_foreign(key); }

  /// One of `choices`, which comes next.
  std::size_t choose(std::string_view what, std::initializer_list<std::string_view> choices) {
    if (in_.at_end()) in_.fail(fmt::format("{} is missing; it is {}", what, fmt::join(choices, ", ")));
    const std::size_t begin = in_.position();
    const std::string_view word = in_.word();
    const auto* const found = std::find(choices.begin(), choices.end(), word);
    if (found == choices.end()) in_.fail_at(begin, fmt::format("unknown '{}'; {} is {}", word, what, fmt::join(choices, ", ")));
    return static_cast<std::size_t>(found - choices.begin());
  }

  void read_type() {
    std::string known;
    for (const tensor_type& type : types) known += fmt::format("{}{}", known.empty() ? "" : ", ", type.name);
    if (in_.at_end()) in_.fail(fmt::format("the element type is missing; it is {}", known));
    const std::size_t begin = in_.position();
    const std::string_view word = in_.word();
    const auto* const found = std::find_if(types.begin(), types.end(), [&](const tensor_type& type) { return type.name == word; });
    if (found == types.end()) in_.fail_at(begin, fmt::format("unknown element type '{}'; known are {}", word, known));
    map_.element_bytes = found->bytes;
    floating_point_ = found->floating_point;
  }

  void read_keyword() {
    const std::size_t begin = in_.position();
    const std::string_view word = in_.word();
    const auto key = static_cast<unsigned>(std::find(names.begin(), names.end(), word) - names.begin());
    if (key == names.size() || is_foreign(key)) {
      in_.fail_at(begin, fmt::format("unexpected '{}'; the line may hold {}", word, known_keywords()));
    }
    if (seen_.at(key)) in_.fail_at(begin, fmt::format("'{}' is given twice", word));
    seen_.at(key) = true;
    lists_.at(key).keyword = begin;
    if (key < first_word) {
      read_numbers(lists_.at(key));
    } else {
      read_word(key, begin);
    }
  }

  std::string known_keywords() const {
    std::string known;
    for (unsigned key = 0; key < names.size(); ++key)
      if (!is_foreign(key)) known += fmt::format("{}{}", known.empty() ? "" : ", ", names.at(key));
    return known;
  }

  void read_numbers(number_list& list) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    for (char next = in_.peek(); next == '-' || ('0' <= next && next <= '9'); next = in_.peek()) {
      list.positions.push_back(in_.position());
      const bool negative = in_.accept("-");
      const auto magnitude = static_cast<std::int64_t>(in_.number("the number", 0, most));
      list.values.push_back(negative ? -magnitude : magnitude);
    }
  }

  void read_word(unsigned key, std::size_t begin) {
    if (key == interleave) {
      choose("the interleaving", {"none"});
    } else if (key == swizzle) {
      map_.swizzle = static_cast<isa::swizzle_mode>(choose("the swizzle", {"none", "32B", "64B", "128B"}));
    } else {
      map_.fill_nan = choose("what stands for elements outside the tensor", {"zero", "nan"}) == 1;
      if (map_.fill_nan && !floating_point_) in_.fail_at(begin, "'fill nan' is for floating-point elements");
    }
  }

  void check_presence() {
    for (unsigned key = 0; key < names.size(); ++key) {
      const bool one_dimension = key == strides && lists_[sizes].values.size() == 1;
      if (is_required(key) && !seen_.at(key) && !one_dimension) in_.fail(fmt::format("'{}' and its numbers are missing", names.at(key)));
    }
  }

  /// Checks how many numbers a keyword has, and each of them.
  const number_list& checked(unsigned key, std::size_t count, std::int64_t least, std::int64_t most, std::uint64_t multiple = 1) const {
    const number_list& list = lists_.at(key);
    if (list.values.size() != count)
      in_.fail_at(list.keyword, fmt::format("'{}' has {} numbers; it must have {}", names.at(key), list.values.size(), count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t value = list.values[i];
      if (value < least || value > most)
        in_.fail_at(list.positions[i], fmt::format("'{}' holds {}; it must be from {} to {}", names.at(key), value, least, most));
      if (value % static_cast<std::int64_t>(multiple) != 0)
        in_.fail_at(list.positions[i], fmt::format("'{}' holds {:#x}; it must be a multiple of {}", names.at(key), value, multiple));
    }
    return list;
  }

  void take_tensor() {
    const std::size_t rank = lists_[sizes].values.size();
    const unsigned least_rank = map_.im2col ? first_im2col_rank : 1;
    if (rank < least_rank || rank > isa::max_tensor_rank)
      in_.fail_at(lists_[sizes].keyword, fmt::format("'sizes' has {} numbers, one for each dimension; it must have {} to {}", rank,
                                                     least_rank, isa::max_tensor_rank));
    map_.rank = static_cast<unsigned>(rank);
    const number_list& extents = checked(sizes, rank, 1, max_size);
    map_.base = static_cast<std::uint64_t>(checked(base, 1, 0, address_limit - 1, alignment).values[0]);
    const number_list& distances = checked(strides, rank - 1, alignment, stride_limit - 1, alignment);
    std::uint64_t last = map_.base + (static_cast<std::uint64_t>(extents.values[0]) - 1) * map_.element_bytes;
    map_.sizes[0] = static_cast<std::uint32_t>(extents.values[0]);
    map_.strides_bytes[0] = map_.element_bytes;
    for (std::size_t d = 1; d < rank; ++d) {
      map_.sizes.at(d) = static_cast<std::uint32_t>(extents.values[d]);
      map_.strides_bytes.at(d) = static_cast<std::uint64_t>(distances.values[d - 1]);
      if (map_.sizes.at(d) - 1 > (address_limit - 1) / map_.strides_bytes.at(d)) fail_beyond();
      last += (map_.sizes.at(d) - 1) * map_.strides_bytes.at(d);
    }
    if (last + map_.element_bytes > address_limit) fail_beyond();
  }

  [[noreturn]] void fail_beyond() const {
    in_.fail_at(lists_[base].keyword, fmt::format("the tensor must end at or below {:#x}", address_limit));
  }

  /// Dimension 0 has none: its elements follow each other.
  void take_element_strides() {
    if (!seen_[element_strides]) return;
    const number_list& list = checked(element_strides, map_.rank, 1, max_element_stride);
    if (list.values[0] != 1)
      in_.fail_at(list.positions[0], "'element-strides' begins with 1, as elements of dimension 0 follow each other");
    std::copy(list.values.begin(), list.values.end(), map_.element_strides.begin());
  }

  void take_box() {
    const number_list& list = checked(box, map_.rank, 1, max_box);
    std::copy(list.values.begin(), list.values.end(), map_.box.begin());
    check_row(map_.box[0], list.positions[0]);
  }

  void take_window() {
    const unsigned window_dimensions = map_.rank - 2;
    const std::int64_t limit = std::int64_t{1} << (corner_bits / window_dimensions - 1);
    const auto& lower_list = checked(lower, window_dimensions, -limit, limit - 1).values;
    const auto& upper_list = checked(upper, window_dimensions, -limit, limit - 1).values;
    std::copy(lower_list.begin(), lower_list.end(), map_.lower_corner.begin());
    std::copy(upper_list.begin(), upper_list.end(), map_.upper_corner.begin());
    const number_list& channel_list = checked(channels, 1, 1, max_box);
    map_.channels = static_cast<std::uint32_t>(channel_list.values[0]);
    map_.pixels = static_cast<std::uint32_t>(checked(pixels, 1, 1, max_pixels).values[0]);
    check_row(map_.channels, channel_list.positions[0]);
  }

  /// Rows of a box are made of 16-byte units, and no longer than a row that is swizzled.
  void check_row(unsigned elements, std::size_t position) const {
    const unsigned bytes = elements * map_.element_bytes;
    if (bytes % alignment != 0)
      in_.fail_at(position, fmt::format("a row of the box has {} bytes; it must be a multiple of {}", bytes, alignment));
    if (map_.swizzle != isa::swizzle_mode::none && bytes > isa::row_bytes(map_.swizzle))
      in_.fail_at(position, fmt::format("a row of the box has {} bytes; swizzle {} takes up to {}", bytes, isa::name(map_.swizzle),
                                        isa::row_bytes(map_.swizzle)));
  }

  text_cursor& in_;
  isa::tensor_map map_;
  bool floating_point_ = false;
  std::array<bool, names.size()> seen_{};
  std::array<number_list, names.size()> lists_;
};

}  // namespace

isa::tensor_map parse_tensor_map(text_cursor& in) { return tensor_map_reader(in).read(); }

}  // namespace tc::trace
