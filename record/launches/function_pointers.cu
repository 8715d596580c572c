// SPDX-License-Identifier: Apache-2.0
// Functions called through a table in the module's memory; lanes of a warp call different ones.
#include "program.cuh"

using operation = unsigned (*)(unsigned, unsigned);
__device__ __noinline__ unsigned add(unsigned a, unsigned b) { return a + b; }
__device__ __noinline__ unsigned multiply(unsigned a, unsigned b) { return a * b; }
__device__ __noinline__ unsigned mix(unsigned a, unsigned b) { return __funnelshift_l(a, b, a & 31) ^ __popc(b); }
__device__ __noinline__ unsigned smaller(unsigned a, unsigned b) { return min(a, b); }
__device__ operation table[] = {add, multiply, mix, smaller};

__global__ void apply(const unsigned* a, const unsigned* which, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = a[i];
  for (int turn = 0; turn < 4; ++turn) value = table[which[i] >> (2 * turn) & 3](value, a[i ^ 1] + turn);
  out[i] = value;
}

int main() {
  apply<<<2, 96>>>(on_device(random_words(192, 6)), on_device(random_words(192, 7)), zeros_on_device<unsigned>(192));
  check(cudaDeviceSynchronize());
}
