// SPDX-License-Identifier: Apache-2.0
// Functions that are called, one of them by itself: Ackermann's function and a greatest common divisor.
#include "program.cuh"

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ unsigned greatest_common_divisor(unsigned a, unsigned b) { return b == 0 ? a : greatest_common_divisor(b, a % b); }

__global__ void call(const unsigned* a, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = ackermann(i % 3, a[i] % 5);
  if (i % 3 != 1) out[2 * i + 1] = greatest_common_divisor(a[i], a[i] >> 7 | 1);
}

int main() {
  call<<<2, 64>>>(on_device(random_words(128, 5)), zeros_on_device<unsigned>(256));
  check(cudaDeviceSynchronize());
}
