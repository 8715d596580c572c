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

/// The first `count` words from there, and zeros if the vector has more lanes.
template <class Vector>
[[gnu::always_inline]] inline Vector load(const std::uint32_t* from, unsigned count) {
  Vector words{};
  constexpr unsigned lanes = sizeof words / sizeof *from;
  if (count >= lanes) {
    __builtin_memcpy(&words, from, sizeof words);
  } else if (count == lanes / 2) {
    __builtin_memcpy(&words, from, sizeof words / 2);
  } else {
    for (unsigned i = 0; i < count; ++i) words[i] = from[i];
  }
  return words;
}

/// Writes the first `count` lanes, all if there are fewer.
template <class Vector>
[[gnu::always_inline]] inline void store(std::uint32_t* to, Vector words, unsigned count) {
  constexpr unsigned lanes = sizeof words / sizeof *to;
  if (count >= lanes) {
    __builtin_memcpy(to, &words, sizeof words);
  } else if (count == lanes / 2) {
    __builtin_memcpy(to, &words, sizeof words / 2);
  } else {
    for (unsigned i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(words[i]);
  }
}

}  // namespace
}  // namespace tc::numerics::simd
