// SPDX-License-Identifier: Apache-2.0
// How long warps take to load fragments from shared memory and to multiply them, alone and beside each other: clocks of each warp.
#include "program.cuh"

constexpr unsigned passes = 3, measurements = 6, pitch = 80;

__device__ unsigned now() {
  unsigned cycle;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycle)::"memory");
  return cycle;
}

__device__ void load(unsigned (&to)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// The warps of a block at once: six loads of four matrices; the same and sixteen products; the same twice.
__global__ void measure_fragments(unsigned* cycles, float* sums) {
  __shared__ __align__(128) char tile[128 * pitch];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned i = threadIdx.x; i < sizeof tile / 4; i += blockDim.x) reinterpret_cast<unsigned*>(tile)[i] = 0;
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + lane % 16 * pitch + lane / 16 * 16;
  float sum[4][4][4] = {};
#pragma unroll 1
  for (unsigned pass = 0; pass < passes; ++pass) {
    unsigned at[measurements + 1];
    unsigned a[4][4], b[2][4];
    __syncthreads();
    at[0] = now();
    for (unsigned i = 0; i < 4; ++i) load(a[i], base + i * 16 * pitch);
    for (unsigned j = 0; j < 2; ++j) load(b[j], base + (64 + j * 16) * pitch);
    for (unsigned i = 0; i < 4; ++i) asm volatile("" ::"r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]));
    unsigned any = 0;
    for (unsigned i = 0; i < 4; ++i) any |= a[i][0] | a[i][3];
    for (unsigned j = 0; j < 2; ++j) any |= b[j][0] | b[j][3];
    asm volatile("" : "+r"(any));
    at[1] = now() + (any & 0);
    __syncthreads();
    at[2] = now();
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = 0; j < 4; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    at[3] = now();
    __syncthreads();
    at[4] = now();
    for (unsigned k = 0; k < 2; ++k) {
      for (unsigned i = 0; i < 4; ++i) load(a[i], base + i * 16 * pitch + k * 32);
      for (unsigned j = 0; j < 2; ++j) load(b[j], base + (64 + j * 16) * pitch + k * 32);
      for (unsigned i = 0; i < 4; ++i)
        for (unsigned j = 0; j < 4; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
    at[5] = now();
    __syncthreads();
    at[6] = now();
    for (unsigned i = 0; i < measurements; ++i)
      if (lane == 0) cycles[(pass * measurements + i) * 32 + warp] = at[i + 1] - at[i];
  }
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) sums[threadIdx.x] += sum[i][j][0] + sum[i][j][3];
}

/// Copies to shared memory, 64 bytes of a row for four lanes, and loads of fragments behind them: when the copies have been issued, when the
/// fragments are there, when the copies are.
__global__ void measure_copies_and_fragments(const char* from, unsigned* cycles, float* sums, unsigned row_bytes) {
  __shared__ __align__(128) char tile[256 * pitch];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const unsigned to = shared + threadIdx.x / 4 * pitch + threadIdx.x % 4 * 16;
  const char* const source = from + threadIdx.x / 4 * row_bytes + threadIdx.x % 4 * 16;
  const unsigned base = shared + lane % 16 * pitch + lane / 16 * 16;
  float sum[4][4][4] = {};
#pragma unroll 1
  for (unsigned pass = 0; pass < passes; ++pass) {
    unsigned at[measurements + 1];
    unsigned a[4][4], b[2][4];
    __syncthreads();
    at[0] = now();
    for (unsigned i = 0; i < 4; ++i)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + i * 64 * pitch), "l"(source + i * 64 * row_bytes + pass * 64)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    at[1] = now();
    for (unsigned i = 0; i < 4; ++i) load(a[i], base + i * 16 * pitch);
    for (unsigned j = 0; j < 2; ++j) load(b[j], base + (64 + j * 16) * pitch);
    for (unsigned i = 0; i < 4; ++i) multiply(sum[i][0], a[i], b[0][0], b[1][1]);
    at[2] = now();
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = 1; j < 4; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    at[3] = now();
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    at[4] = now();
    __syncthreads();
    at[5] = now();
    at[6] = now();
    for (unsigned i = 0; i < measurements; ++i)
      if (lane == 0) cycles[(pass * measurements + i) * 32 + warp] = at[i + 1] - at[i];
  }
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) sums[threadIdx.x] += sum[i][j][0] + sum[i][j][3];
}

int main() {
  for (const unsigned threads : {32, 128, 256})
    measure_fragments<<<1, threads>>>(zeros_on_device<unsigned>(passes * measurements * 32), zeros_on_device<float>(threads));
  const char* const memory = reinterpret_cast<const char*>(zeros_on_device<unsigned>(1 << 16));
  for (const unsigned threads : {32, 128, 256})
    for (const unsigned row_bytes : {256U, 1024U})
      measure_copies_and_fragments<<<1, threads>>>(memory, zeros_on_device<unsigned>(passes * measurements * 32), zeros_on_device<float>(threads),
                                                   row_bytes);
  check(cudaDeviceSynchronize());
}
