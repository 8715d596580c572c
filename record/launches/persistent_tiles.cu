// SPDX-License-Identifier: Apache-2.0
// Blocks that stay: each takes the number of its next tile from a counter, until there is none.
#include "program.cuh"

__global__ void transform_tiles(const unsigned* in, unsigned* out, unsigned* next, unsigned tiles) {
  __shared__ unsigned tile;
  __shared__ unsigned words[128];
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    if (tile >= tiles) return;
    const unsigned own = tile;
    words[threadIdx.x] = in[own * 128 + threadIdx.x];
    __syncthreads();
    unsigned value = words[threadIdx.x];
    for (unsigned step = 1; step <= own % 7; ++step) value = value * 31 + words[(threadIdx.x + step * 5) % 128];
    out[own * 128 + threadIdx.x] = value;
    __syncthreads();
  }
}

int main() {
  constexpr unsigned tiles = 24;
  transform_tiles<<<5, 128>>>(on_device(random_words(tiles * 128, 53)), zeros_on_device<unsigned>(tiles * 128), zeros_on_device<unsigned>(1),
                              tiles);
  check(cudaDeviceSynchronize());
}
