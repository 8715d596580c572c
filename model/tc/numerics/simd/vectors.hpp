// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// The kernels of this folder are compiled several times, each time for other instructions. Of a function that two object files define with
// external linkage the linker keeps one, perhaps the one that this machine cannot execute. So the kernels' headers define everything in
// unnamed namespaces, and include only each other and these two headers. A test looks for symbols that escaped.

namespace tc::numerics::simd {
namespace {

/// Vectors of a number of bytes, by the vector extension that GCC and clang share: operators work lane by lane, a comparison gives all ones
/// where it holds, and `mask ? x : y` selects.
template <std::size_t Bytes>
struct vectors {
  using f32 [[gnu::vector_size(Bytes)]] = float;
  using s32 [[gnu::vector_size(Bytes)]] = std::int32_t;
  using u32 [[gnu::vector_size(Bytes)]] = std::uint32_t;
  using s16 [[gnu::vector_size(Bytes)]] = std::int16_t;
  static constexpr unsigned lanes = Bytes / 4;  ///< of 32 bits
};

/// The same bits as another vector of that size.
template <class To, class From>
[[gnu::always_inline]] inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To>(from);
}

/// The same value in all lanes.
template <class Vector, class Value>
[[gnu::always_inline]] inline Vector splat(Value value) {
  return static_cast<decltype(Vector{}[0])>(value) - Vector{};
}

template <class Vector>
[[gnu::always_inline]] inline Vector max(Vector x, Vector y) {
  return x > y ? x : y;
}

template <class Vector>
[[gnu::always_inline]] inline Vector min(Vector x, Vector y) {
  return x < y ? x : y;
}

/// Lanes of a vector of 32-bit words.
template <class Vector>
constexpr unsigned lanes_of = sizeof(Vector) / 4;
/// Of the smallest vectors.
constexpr unsigned smallest_lanes = 4;

/// Numbers of lanes: `Count` of them from `First`.
template <int... Lane>
struct lane_list {};
template <int First, int Count, int... Lane>
struct make_lane_list : make_lane_list<First, Count - 1, First + Count - 1, Lane...> {};
template <int First, int... Lane>
struct make_lane_list<First, 0, Lane...> {
  using type = lane_list<Lane...>;
};
template <int First, int Count>
using lanes_from = typename make_lane_list<First, Count>::type;

/// Groups of lanes that follow each other: lane `Lane` of its group, for each of `Count` lanes.
template <int Group, int Lane, int Count, int... Chosen>
struct make_group_list : make_group_list<Group, Lane, Count - 1, (Count - 1) / Group * Group + Lane, Chosen...> {};
template <int Group, int Lane, int... Chosen>
struct make_group_list<Group, Lane, 0, Chosen...> {
  using type = lane_list<Chosen...>;
};

/// Those lanes of two vectors, counted through both.
template <class Vector, int... Lane>
[[gnu::always_inline]] inline auto chosen(Vector x, Vector y, lane_list<Lane...>) {
  return __builtin_shufflevector(x, y, Lane...);
}

template <class Vector>
[[gnu::always_inline]] inline auto lower_lanes(Vector words) {
  return chosen(words, words, lanes_from<0, lanes_of<Vector> / 2>{});
}
template <class Vector>
[[gnu::always_inline]] inline auto upper_lanes(Vector words) {
  return chosen(words, words, lanes_from<lanes_of<Vector> / 2, lanes_of<Vector> / 2>{});
}

/// Puts lane `lane` of each group of `Group` lanes into all lanes of the group. One instruction, if the compiler knows the lane.
template <int Group, int Lane = 0, class Vector>
[[gnu::always_inline]] inline Vector splat_in_groups(Vector words, unsigned lane) {
  if constexpr (Lane + 1 < Group) {
    if (lane != Lane) return splat_in_groups<Group, Lane + 1>(words, lane);
  }
  return chosen(words, words, typename make_group_list<Group, Lane, lanes_of<Vector>>::type{});
}

/// Half of the lanes of a vector, as a vector.
template <class Vector>
using half_of = decltype(lower_lanes(Vector{}));

/// The lanes of two vectors, side by side.
template <class Vector>
[[gnu::always_inline]] inline auto side_by_side(Vector lower, Vector upper) {
  return chosen(lower, upper, lanes_from<0, 2 * lanes_of<Vector>>{});
}

/// Whether a lane is not zero.
template <class Vector>
[[gnu::always_inline]] inline bool any_lane(Vector words) {
  if constexpr (lanes_of < Vector >> smallest_lanes) return any_lane(lower_lanes(words) | upper_lanes(words));
  return (words[0] | words[1] | words[2] | words[3]) != 0;
}

/// The first `count` words from there, and zeros if the vector has more lanes. Halves are loaded as such: a vector that is put together in
/// memory cannot be loaded before all of it is written there.
template <class Vector>
[[gnu::always_inline]] inline Vector load(const std::uint32_t* from, unsigned count) {
  constexpr unsigned lanes = lanes_of<Vector>;
  if (count >= lanes) {
    Vector words;
    __builtin_memcpy(&words, from, sizeof words);
    return words;
  }
  if constexpr (lanes > smallest_lanes) {
    if (count <= lanes / 2) return side_by_side(load<half_of<Vector>>(from, count), half_of<Vector>{});
  }
  Vector words{};
  for (unsigned i = 0; i < count; ++i) words[i] = from[i];
  return words;
}

/// Writes the first `count` lanes, all if there are fewer.
template <class Vector>
[[gnu::always_inline]] inline void store(std::uint32_t* to, Vector words, unsigned count) {
  constexpr unsigned lanes = lanes_of<Vector>;
  if (count >= lanes) {
    __builtin_memcpy(to, &words, sizeof words);
    return;
  }
  if constexpr (lanes > smallest_lanes) {
    if (count <= lanes / 2) return store(to, lower_lanes(words), count);
  }
  for (unsigned i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(words[i]);
}

}  // namespace
}  // namespace tc::numerics::simd
