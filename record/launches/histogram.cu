// SPDX-License-Identifier: Apache-2.0
// Bytes counted with atomics in shared memory, sums with atomics in global memory: add, min, max, and, or, xor, exchange of 64 bits.
#include "program.cuh"

__global__ void histogram(const unsigned* in, unsigned* bins, unsigned* extremes, unsigned long long* sums, int n) {
  __shared__ unsigned counts[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) counts[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int byte = 0; byte < 4; ++byte) atomicAdd(&counts[in[i] >> (8 * byte) & 255], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    if (counts[k] != 0) atomicAdd(&bins[k], counts[k]);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(&extremes[0], in[i]);
  atomicMax(&extremes[1], in[i]);
  atomicMin(reinterpret_cast<int*>(&extremes[2]), static_cast<int>(in[i]));
  atomicMax(reinterpret_cast<int*>(&extremes[3]), static_cast<int>(in[i]));
  atomicAnd(&extremes[4], in[i] | 0xff00ff00);
  atomicOr(&extremes[5], in[i] & 0x00ff0f00);
  atomicXor(&extremes[6], in[i]);
  atomicAdd(&sums[i % 3], static_cast<unsigned long long>(in[i]) << 12);
  atomicMax(&sums[3], static_cast<unsigned long long>(in[i]) * in[i]);
}

int main() {
  std::vector<unsigned> extremes(8);
  extremes[0] = extremes[4] = 0xffffffff;
  histogram<<<2, 128>>>(on_device(random_words(500, 11)), zeros_on_device<unsigned>(256), on_device(extremes), zeros_on_device<unsigned long long>(4), 500);
  check(cudaDeviceSynchronize());
}
