// SPDX-License-Identifier: Apache-2.0
// Keys put into a table in shared memory by compare-and-swap, then looked up. Where a key lies depends on who came first, what is found does not.
#include "program.cuh"

__global__ void count_keys(const unsigned* keys, unsigned* found) {
  __shared__ unsigned table[512], counts[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x) table[k] = counts[k] = 0;
  __syncthreads();
  const unsigned key = keys[threadIdx.x] % 97 + 1;
  unsigned place = key * 2654435761u >> 23;
  for (;; place = (place + 1) % 512) {
    const unsigned before = atomicCAS(&table[place], 0u, key);
    if (before == 0 || before == key) break;
  }
  atomicAdd(&counts[place], 1u);
  __syncthreads();
  place = key * 2654435761u >> 23;
  while (table[place] != key) place = (place + 1) % 512;
  found[threadIdx.x] = counts[place] << 16 | key;
}

int main() {
  count_keys<<<1, 320>>>(on_device(random_words(320, 12)), zeros_on_device<unsigned>(320));
  check(cudaDeviceSynchronize());
}
