// SPDX-License-Identifier: Apache-2.0
// Calls functions and names data that only the linker places. Compiled by nvcc 13.0 with -cubin -rdc=true.
#include <cassert>
#include <cstdio>

__device__ int shared_value;
extern __device__ int other(int);

extern "C" __global__ void relocated(int* p) {
  assert(p[0] != 3);
  printf("%d\n", other(p[1]));
  p[2] = shared_value;
}
