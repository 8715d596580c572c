// SPDX-License-Identifier: Apache-2.0
// Warps that wait for others on flags in shared and global memory, and the last block that adds up what all have written.
#include "program.cuh"

__device__ unsigned finished = 0;

__global__ void chain(const unsigned* in, volatile unsigned* partial, unsigned* out) {
  __shared__ volatile unsigned turn;
  __shared__ unsigned sum;
  __shared__ bool last;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) turn = 3, sum = 0;
  __syncthreads();
  while (turn != warp) {}
  for (unsigned k = 0; k < 32; ++k)
    if (lane == k) sum = sum * 31 + in[blockIdx.x * 128 + threadIdx.x];
  __threadfence_block();
  __syncwarp();
  if (lane == 0) turn = warp - 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x] >> 3);
}

int main() {
  chain<<<4, 128>>>(on_device(random_words(512, 23)), zeros_on_device<unsigned>(4), zeros_on_device<unsigned>(1));
  check(cudaDeviceSynchronize());
}
