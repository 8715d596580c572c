// SPDX-License-Identifier: Apache-2.0
// How long branches take, and which lanes of a warp go first where they go different ways: clocks, of each lane.
#include "program.cuh"

constexpr unsigned lanes = 32, passes = 3, loops = 7, places = 20;

__device__ __forceinline__ unsigned now() {
  unsigned cycle;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycle)::"memory");
  return cycle;
}

/// Instructions that are not put together, and are too many to be predicated.
__device__ __forceinline__ void work(unsigned& value, unsigned key) {
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) asm volatile("{ xor.b32 %0, %0, %1; add.u32 %0, %0, %1; }" : "+r"(value) : "r"(key));
}

__device__ __noinline__ unsigned called(unsigned value, unsigned key) {
  work(value, key);
  return value;
}

/// Loops of 16 turns: of one to four times `work`, of calls, of calls by a pointer, and of a branch that no lane takes.
__global__ void measure_loops(unsigned* cycles, unsigned* sums, unsigned turns, unsigned key) {
  unsigned value = threadIdx.x;
#pragma unroll 1
  for (unsigned pass = 0; pass < passes; ++pass) {
    unsigned at[loops + 1];
    at[0] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) asm volatile("xor.b32 %0, %0, %1;" : "+r"(value) : "r"(key));
    at[1] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) work(value, key);
    at[2] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) {
      work(value, key);
      work(value, key);
    }
    at[3] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) {
      work(value, key);
      work(value, key);
      work(value, key);
      work(value, key);
    }
    at[4] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) value = called(value, key);
    at[5] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) {
      if (value == key + i) {
        work(value, key);
        sums[64] = value;
      }
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(value) : "r"(key));
    }
    at[6] = now();
#pragma unroll 1
    for (unsigned i = 0; i < turns; ++i) {
      if (value != key + i) {
        work(value, key);
        if (value == key) sums[65] = value;
      }
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(value) : "r"(key));
    }
    at[7] = now();
    for (unsigned i = 0; i < loops; ++i)
      if (threadIdx.x == 0) cycles[pass * loops + i] = at[i + 1] - at[i];
  }
  sums[threadIdx.x] = value;
}

/// Ways that the lanes of a mask go and the others do not: of each lane the clocks at which its way begins and ends, and where all are
/// together again.
__global__ void measure_ways(unsigned* cycles, unsigned* sums, const volatile unsigned* loaded, unsigned mask, unsigned key) {
  unsigned value = threadIdx.x;
  const bool chosen = (mask >> threadIdx.x & 1) != 0;
#pragma unroll 1
  for (unsigned pass = 0; pass < passes; ++pass) {
    unsigned at[places] = {};
    const unsigned origin = now();
    if (chosen) {  // both ways alike
      at[0] = now();
      work(value, key);
      at[1] = now();
    } else {
      at[0] = now();
      work(value, key + 1);
      at[1] = now();
    }
    __syncwarp();
    at[2] = now();
    if (chosen) {  // the chosen wait for memory
      at[3] = now();
      value += loaded[threadIdx.x];
      work(value, key);
      at[4] = now();
    } else {
      at[3] = now();
      work(value, key + 1);
      at[4] = now();
    }
    __syncwarp();
    at[5] = now();
    if (chosen) {
      at[6] = now();
      work(value, key);
      at[7] = now();
    } else {  // the others wait for memory
      at[6] = now();
      value += loaded[threadIdx.x];
      work(value, key + 1);
      at[7] = now();
    }
    __syncwarp();
    at[8] = now();
    if (chosen) {  // one way alone
      at[9] = now();
      work(value, key);
      at[10] = now();
    }
    __syncwarp();
    at[11] = now();
#pragma unroll 1
    for (unsigned i = 0; i < threadIdx.x % 4; ++i) work(value, key);  // another number of turns
    at[12] = now();
    __syncwarp();
    at[13] = now();
    switch (threadIdx.x % 8) {
      case 0: at[14] = now(); work(value, key + 2); break;
      case 1: at[14] = now(); work(value, key + 3); break;
      case 2: at[14] = now(); work(value, key + 4); break;
      case 3: at[14] = now(); work(value, key + 5); break;
      case 4: at[14] = now(); work(value, key + 6); break;
      case 5: at[14] = now(); work(value, key + 7); break;
      case 6: at[14] = now(); work(value, key + 8); break;
      default: at[14] = now(); work(value, key + 9);
    }
    at[15] = now();
    __syncwarp();
    at[16] = now();
    if (chosen) {  // nested
      if (threadIdx.x % 2 == 0) {
        at[17] = now();
        work(value, key);
      } else {
        at[17] = now();
        work(value, key + 1);
      }
      work(value, key + 2);
    } else {
      at[17] = now();
      work(value, key + 3);
    }
    at[18] = now();
    __syncwarp();
    at[19] = now();
    for (unsigned i = 0; i < places; ++i) cycles[(pass * places + i) * lanes + threadIdx.x] = at[i] == 0 ? 0 : at[i] - origin;
  }
  sums[threadIdx.x] = value;
}

int main() {
  measure_loops<<<1, 32>>>(zeros_on_device<unsigned>(passes * loops), zeros_on_device<unsigned>(66), 16, 0x9e3779b9);
  for (const unsigned mask : {0xffff0000U, 0x0000ffffU, 0x80000000U, 0x00000001U, 0xfffffffeU, 0x7fffffffU, 0x00ffff00U})
    measure_ways<<<1, 32>>>(zeros_on_device<unsigned>(passes * places * lanes), zeros_on_device<unsigned>(32), on_device(random_words(32, 71)),
                            mask, 0x9e3779b9);
  check(cudaDeviceSynchronize());
}
