// SPDX-License-Identifier: Apache-2.0
// What the programs share: memory with content that depends on nothing but a seed.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Pseudo-random words (xorshift32).
inline std::vector<std::uint32_t> random_words(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    word = seed;
  }
  return words;
}

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, values.size() * sizeof(T)));
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <typename T>
T* zeros_on_device(std::size_t count) {
  return on_device(std::vector<T>(count));
}
