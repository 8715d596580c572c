// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "cuda_support.cuh"
#include "device.hpp"
#include "instructions.cuh"

namespace tc::record {

namespace {

constexpr unsigned repetitions = 4;
constexpr unsigned most_warps = 16;

/// A stream's result decides about a store before the second clock read, so that the read waits for the stream.
constexpr std::uint32_t unlikely_result = 0x12345678;

__device__ void set(std::uint32_t& reg, unsigned value) { reg = value; }
[[maybe_unused]] __device__ void set(double& reg, unsigned value) { reg = value; }
__device__ std::uint32_t bits(std::uint32_t reg) { return reg; }
[[maybe_unused]] __device__ std::uint32_t bits(double reg) { return static_cast<std::uint32_t>(__double2loint(reg) ^ __double2hiint(reg)); }

/// Writes the cycles of each warp, and to the two words of `results` what keeps the compiler from leaving the stream out. Accumulators
/// differ from chain to chain: equal chains would be merged into one.
template <unsigned Index, unsigned Chains, unsigned Length>
__global__ void __launch_bounds__(32 * most_warps) stream(std::uint32_t* results, long long* cycles) {
  constexpr variant v = variants[Index];
  if constexpr (v.is_native_on(target_capability)) {
    using mma = instruction<Index>;
    using register_type = typename mma::register_type;
    register_type a[mma::a_size], b[mma::b_size], accumulators[Chains][mma::c_size];
    for (int i = 0; i < mma::a_size; ++i) set(a[i], threadIdx.x + i);
    for (int i = 0; i < mma::b_size; ++i) set(b[i], threadIdx.x + 16 + 7 * i);
    for (unsigned chain = 0; chain < Chains; ++chain)
      for (int i = 0; i < mma::c_size; ++i) set(accumulators[chain][i], threadIdx.x + 1024 * (chain + 1) + i);

    long long fewest = 1ll << 60;
#pragma unroll 1
    for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
      // Hopper lets a warp pass a barrier up to its next memory instruction or barrier: the second makes all start together.
      __syncthreads();
      __syncthreads();
      const long long start = clock64();
#pragma unroll
      for (unsigned i = 0; i < Length; ++i)
#pragma unroll
        for (unsigned chain = 0; chain < Chains; ++chain) mma::multiply(accumulators[chain], a, b, accumulators[chain]);
      std::uint32_t result = 0;
      for (unsigned chain = 0; chain < Chains; ++chain)
        for (int i = 0; i < mma::c_size; ++i) result ^= bits(accumulators[chain][i]);
      if (result == unlikely_result) results[1] = result;
      const long long stop = clock64();
      results[threadIdx.x % 2] = result;
      fewest = min(fewest, stop - start);
    }
    if (threadIdx.x % 32 == 0) cycles[threadIdx.x / 32] = fewest;
  }
}

using kernel = void (*)(std::uint32_t*, long long*);

/// The kernel of a stream, none for variants that are not timed.
template <unsigned Index>
kernel kernel_of(const stream_shape& shape) {
  if constexpr (variants[Index].is_timed()) {
    const std::pair<stream_shape, kernel> kernels[] = {
        {{0, 1, 1}, stream<Index, 1, 1>},   {{0, 1, 2}, stream<Index, 1, 2>},   {{0, 1, 4}, stream<Index, 1, 4>},
        {{0, 1, 8}, stream<Index, 1, 8>},   {{0, 1, 16}, stream<Index, 1, 16>}, {{0, 1, 32}, stream<Index, 1, 32>},
        {{0, 1, 64}, stream<Index, 1, 64>}, {{0, 2, 32}, stream<Index, 2, 32>}, {{0, 4, 32}, stream<Index, 4, 32>},
        {{0, 8, 16}, stream<Index, 8, 16>}};
    for (const auto& [compiled, k] : kernels)
      if (compiled.chains == shape.chains && compiled.length == shape.length) return k;
  }
  return nullptr;
}

template <std::size_t... Indices>
kernel kernel_at(std::size_t index, const stream_shape& shape, std::index_sequence<Indices...>) {
  using kernel_finder = kernel (*)(const stream_shape&);
  const kernel_finder finders[] = {kernel_of<Indices>...};
  return finders[index](shape);
}

}  // namespace

std::vector<stream_shape> stream_shapes() {
  std::vector<stream_shape> shapes;
  for (unsigned length : {1, 2, 4, 8, 16, 32}) shapes.push_back({1, 1, length});
  for (unsigned warps : {1, 2, 4, 8, 12, 16})
    for (const auto& [chains, length] : {std::pair{1u, 64u}, std::pair{2u, 32u}, std::pair{4u, 32u}, std::pair{8u, 16u}})
      shapes.push_back({warps, chains, length});
  return shapes;
}

std::uint64_t time_stream(unsigned index, const stream_shape& shape) {
  const kernel timed = kernel_at(index, shape, std::make_index_sequence<variant_count>{});
  if (!timed) throw std::invalid_argument(std::string(variants[index].name) + ": no stream of this shape is compiled");
  device_array<std::uint32_t> results(2);
  device_array<long long> cycles(shape.warps);
  timed<<<1, 32 * shape.warps>>>(results.data(), cycles.data());
  TC_CUDA(cudaGetLastError());
  const std::vector<long long> of_warps = cycles.read();
  return static_cast<std::uint64_t>(*std::max_element(of_warps.begin(), of_warps.end()));
}

}  // namespace tc::record
