// SPDX-License-Identifier: Apache-2.0
// Matrix instructions on s8 and u8, saturating and not, and on f64.
#include "program.cuh"

__global__ void multiply(const unsigned* a, const unsigned* b, int* c, const double* x, double* y) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned* const from = a + 128 * warp;
  int d[4] = {lane, -lane, 1 << lane % 31, 5};
  for (int k = 0; k < 3; ++k) {
    const unsigned r0 = from[lane] + k, r1 = from[32 + lane], r2 = from[64 + lane] ^ k, r3 = from[96 + lane], s0 = b[lane + 64 * warp], s1 = b[lane + 32 + 64 * warp] + k;
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(s0), "r"(s1));
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(r1), "r"(r0), "r"(r3), "r"(r2), "r"(s1), "r"(s0));
  }
  for (int k = 0; k < 4; ++k) c[(warp * 32 + lane) * 4 + k] = d[k];
  double e0 = x[lane], e1 = x[lane + 1];
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(e0), "+d"(e1) : "d"(x[lane + 2]), "d"(x[lane + 3]));
  y[(warp * 32 + lane) * 2] = e0;
  y[(warp * 32 + lane) * 2 + 1] = e1;
}

int main() {
  std::vector<double> x(40);
  for (int i = 0; i < 40; ++i) x[i] = (i * 37 % 41 - 20) / 3.0;
  multiply<<<1, 64>>>(on_device(random_words(256, 18)), on_device(random_words(128, 19)), zeros_on_device<int>(256), on_device(x), zeros_on_device<double>(128));
  check(cudaDeviceSynchronize());
}
