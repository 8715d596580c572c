// SPDX-License-Identifier: Apache-2.0
// All blocks wait for each other, several times: each then reads what its neighbours have written before.
#include "program.cuh"

__device__ void wait_for_all(unsigned* arrived, unsigned rounds_before) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*const_cast<volatile unsigned*>(arrived) < (rounds_before + 1) * gridDim.x) {}
  }
  __syncthreads();
  __threadfence();
}

__global__ void relax(volatile unsigned* even, volatile unsigned* odd, unsigned* arrived) {
  const unsigned count = gridDim.x * blockDim.x, own = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < 6; ++round) {
    volatile unsigned* const from = round % 2 == 0 ? even : odd;
    volatile unsigned* const to = round % 2 == 0 ? odd : even;
    to[own] = from[own] * 5 + from[(own + 33) % count] + from[(own + count - 70) % count];
    wait_for_all(arrived, round);
  }
}

int main() {
  relax<<<8, 64>>>(on_device(random_words(512, 61)), zeros_on_device<unsigned>(512), zeros_on_device<unsigned>(1));
  check(cudaDeviceSynchronize());
}
