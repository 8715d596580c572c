// SPDX-License-Identifier: Apache-2.0
// A matrix product whose k is divided among blocks: those of a tile add their sums one after the other, in the order that a semaphore keeps.
#include <cuda_fp16.h>
#include <mma.h>

#include "program.cuh"

using namespace nvcuda;

constexpr unsigned m = 32, n = 32, k = 128, tile = 16, slices = 4;

__global__ void multiply_slice(const __half* a, const __half* b, volatile float* d, int* semaphores) {
  __shared__ float sums[tile * tile];
  const unsigned row = blockIdx.x * tile, column = blockIdx.y * tile, slice = blockIdx.z;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (unsigned step = 0; step < k / slices; step += tile) {
    const unsigned first = slice * (k / slices) + step;
    wmma::load_matrix_sync(left, a + row * k + first, k);
    wmma::load_matrix_sync(right, b + first * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(sums, sum, tile, wmma::mem_row_major);
  int* const semaphore = semaphores + blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0)
    while (*const_cast<volatile int*>(semaphore) != static_cast<int>(slice)) __nanosleep(20);
  __syncthreads();
  __threadfence();
  for (unsigned i = threadIdx.x; i < tile * tile; i += blockDim.x) {
    volatile float& element = d[(row + i / tile) * n + column + i % tile];
    element = element + sums[i];
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *const_cast<volatile int*>(semaphore) = static_cast<int>(slice) + 1;
}

/// Halves between -1 and 1.
static std::vector<__half> halves(std::size_t count, std::uint32_t seed) {
  std::vector<__half> values;
  for (const std::uint32_t word : random_words(count, seed)) values.push_back(__float2half(static_cast<float>(static_cast<int>(word)) * 0x1p-31F));
  return values;
}

int main() {
  multiply_slice<<<dim3(m / tile, n / tile, slices), 32>>>(on_device(halves(m * k, 43)), on_device(halves(k * n, 47)),
                                                            zeros_on_device<float>(m * n), zeros_on_device<int>(4));
  check(cudaDeviceSynchronize());
}
