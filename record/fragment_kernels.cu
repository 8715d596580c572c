// SPDX-License-Identifier: Apache-2.0
#include "cuda_support.cuh"
#include "device.hpp"
#include "instructions.cuh"

namespace tc::record {

namespace {

__global__ void describe_target(unsigned* capability_and_wgmma) {
  capability_and_wgmma[0] = target_capability;
  capability_and_wgmma[1] = target_has_wgmma;
}

template <int Size>
__device__ void load(std::uint32_t (&registers)[Size], const std::uint32_t* words) {
  for (int i = 0; i < Size; ++i) registers[i] = words[i];
}
template <int Size>
__device__ void load(double (&registers)[Size], const std::uint32_t* words) {
  for (int i = 0; i < Size; ++i) registers[i] = __hiloint2double(static_cast<int>(words[2 * i + 1]), static_cast<int>(words[2 * i]));
}

template <int Size>
__device__ void store(std::uint32_t* words, const std::uint32_t (&registers)[Size]) {
  for (int i = 0; i < Size; ++i) words[i] = registers[i];
}
template <int Size>
__device__ void store(std::uint32_t* words, const double (&registers)[Size]) {
  for (int i = 0; i < Size; ++i) {
    words[2 * i] = static_cast<std::uint32_t>(__double2loint(registers[i]));
    words[2 * i + 1] = static_cast<std::uint32_t>(__double2hiint(registers[i]));
  }
}

/// A warp for each case.
template <unsigned Index>
__global__ void multiply_with_warp(std::uint32_t* cases) {
  constexpr variant v = variants[Index];
  if constexpr (target_capability >= v.capability) {
    using mma = instruction<Index>;
    using register_type = typename mma::register_type;
    std::uint32_t* words = cases + blockIdx.x * v.case_words() + threadIdx.x * (v.case_words() / v.lanes());
    register_type a[mma::a_size], b[mma::b_size], c[mma::c_size], d[mma::c_size];
    load(a, words);
    load(b, words + v.a_words);
    load(c, words + v.a_words + v.b_words);
    mma::multiply(d, a, b, c);
    store(words + v.a_words + v.b_words + v.c_words, d);
  }
}

/// The descriptor of 8 columns of 32 bytes of k in shared memory, unswizzled: two core matrices of 8 columns x 16 bytes, 128 bytes apart
/// (PTX ISA, matrix descriptor of wgmma).
[[maybe_unused]] __device__ std::uint64_t descriptor_of(const std::uint32_t* core_matrices) {
  constexpr std::uint64_t stride = 128 >> 4;
  const std::uint64_t address = static_cast<std::uint64_t>(__cvta_generic_to_shared(core_matrices)) >> 4;
  return address | stride << 16 | stride << 32;
}

/// A warpgroup for each case. D starts as C, to which the instruction adds.
template <unsigned Index>
__global__ void multiply_with_warpgroup(std::uint32_t* cases) {
  if constexpr (target_has_wgmma) {
    constexpr variant v = variants[Index];
    using wgmma = instruction<Index>;
    constexpr unsigned lane_words = (v.case_words() - v.b_words) / v.lanes();
    std::uint32_t* const b_words = cases + blockIdx.x * v.case_words();
    std::uint32_t* const words = b_words + v.b_words + threadIdx.x * lane_words;

    __shared__ alignas(128) std::uint32_t core_matrices[v.b_words];
    if (threadIdx.x < v.b_words) {
      const unsigned column = threadIdx.x / 8, word = threadIdx.x % 8;
      core_matrices[word / 4 * 32 + column * 4 + word % 4] = b_words[threadIdx.x];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();

    std::uint32_t a[wgmma::a_size], d[wgmma::c_size];
    load(a, words);
    load(d, words + v.a_words);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    wgmma::multiply(d, a, descriptor_of(core_matrices));
    asm volatile("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" ::: "memory");
    store(words + v.a_words + v.c_words, d);
  }
}

using kernel = void (*)(std::uint32_t*);

template <unsigned Index>
constexpr kernel kernel_of() {
  if constexpr (variants[Index].is_wgmma())
    return multiply_with_warpgroup<Index>;
  else
    return multiply_with_warp<Index>;
}

template <std::size_t... Indices>
kernel kernel_at(std::size_t index, std::index_sequence<Indices...>) {
  const kernel kernels[] = {kernel_of<Indices>()...};
  return kernels[index];
}

}  // namespace

device_description describe_device() {
  int device = 0;
  TC_CUDA(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  TC_CUDA(cudaGetDeviceProperties(&properties, device));
  device_array<unsigned> target(2);
  describe_target<<<1, 1>>>(target.data());
  TC_CUDA(cudaGetLastError());
  const std::vector<unsigned> compiled_for = target.read();
  return {properties.name, static_cast<unsigned>(10 * properties.major + properties.minor), compiled_for[0], compiled_for[1] != 0};
}

void multiply_fragments(unsigned index, std::vector<std::uint32_t>& cases) {
  const variant& v = variants[index];
  device_array<std::uint32_t> words(cases);
  const auto blocks = static_cast<unsigned>(cases.size() / v.case_words());
  kernel_at(index, std::make_index_sequence<variant_count>{})<<<blocks, v.lanes()>>>(words.data());
  TC_CUDA(cudaGetLastError());
  cases = words.read();
}

}  // namespace tc::record
