// SPDX-License-Identifier: Apache-2.0
// How long a warp waits for copies to shared memory, and for loads of the same bytes: clocks, in several passes over the same and over new
// memory.
#include "program.cuh"

constexpr unsigned passes = 4, measurements = 12;

__device__ unsigned now() {
  unsigned cycle;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycle)::"memory");
  return cycle;
}

template <unsigned bytes>
__device__ void copy(unsigned to, const char* from) {
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes) : "memory");
}

__device__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <unsigned groups>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

__global__ void measure_copies(const char* from, unsigned* cycles, unsigned stride) {
  __shared__ __align__(128) char tile[8192];
  const unsigned lane = threadIdx.x, to = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + lane * 16;
  const char* source = from + lane * 16;
#pragma unroll 1
  for (unsigned pass = 0; pass < passes; ++pass) {
    unsigned at[measurements + 2];
    at[0] = now();
    at[1] = now();
    copy<16>(to, source);
    close_group();
    wait<0>();
    at[2] = now();
    copy<4>(to, source + 4096);
    close_group();
    wait<0>();
    at[3] = now();
    copy<8>(to, source + 8192);
    close_group();
    wait<0>();
    at[4] = now();
    uint4 loaded;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(loaded.x), "=r"(loaded.y), "=r"(loaded.z), "=r"(loaded.w)
                 : "l"(source + 12288)
                 : "memory");
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(loaded.x), "r"(loaded.y), "r"(loaded.z), "r"(loaded.w) : "memory");
    at[5] = now();
    for (unsigned i = 0; i < 8; ++i) copy<16>(to + i * 512, source + 16384 + i * 512);
    close_group();
    wait<0>();
    at[6] = now();
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned j = 0; j < 2; ++j) copy<16>(to + i * 1024 + j * 512, source + 20480 + i * 1024 + j * 512);
      close_group();
    }
    at[7] = now();
    wait<3>();
    at[8] = now();
    wait<2>();
    at[9] = now();
    wait<1>();
    at[10] = now();
    wait<0>();
    at[11] = now();
    close_group();
    wait<0>();
    at[12] = now();
    unsigned first;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(first) : "r"(to) : "memory");
    at[13] = now() + (first & 0);
    for (unsigned i = 0; i < measurements; ++i)
      if (lane == 0) cycles[pass * measurements + i] = at[i + 2] - at[i + 1];
    source += stride;
  }
}

int main() {
  constexpr unsigned bytes = 1 << 16;
  const char* const memory = reinterpret_cast<const char*>(on_device(random_words(bytes, 67)));
  measure_copies<<<1, 32>>>(memory, zeros_on_device<unsigned>(passes * measurements), 0);
  measure_copies<<<1, 32>>>(memory, zeros_on_device<unsigned>(passes * measurements), 32768);
  check(cudaDeviceSynchronize());
}
