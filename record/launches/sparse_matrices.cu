// SPDX-License-Identifier: Apache-2.0
// Matrix instructions whose first operand has two of four elements: f16 with f32 sums, s8.
#include "program.cuh"

__global__ void multiply(const unsigned* a, const unsigned* b, const unsigned* which, float* c, int* d) {
  const int lane = threadIdx.x % 32;
  float f[4] = {1, 2, 3, 4};
  int s[4] = {lane, 2, 3, 4};
  const unsigned metadata = which[lane];
  asm("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0x0;"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
      : "r"(a[lane]), "r"(a[lane + 32]), "r"(a[lane + 64]), "r"(a[lane + 96]), "r"(b[lane]), "r"(b[lane + 32]), "r"(b[lane + 64]), "r"(b[lane + 96]), "r"(metadata));
  asm("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0x0;"
      : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
      : "r"(a[lane]), "r"(a[lane + 32]), "r"(a[lane + 64]), "r"(a[lane + 96]), "r"(b[lane]), "r"(b[lane + 32]), "r"(b[lane + 64]), "r"(b[lane + 96]), "r"(metadata));
  for (int k = 0; k < 4; ++k) {
    c[4 * lane + k] = f[k];
    d[4 * lane + k] = s[k];
  }
}

int main() {
  auto a = random_words(128, 20), b = random_words(128, 21), which = random_words(32, 22);
  for (auto* words : {&a, &b})
    for (unsigned& word : *words) word = (word & 0x83ff83ff) | 0x30003400;  // f16 near 1
  constexpr unsigned pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};  // two different of four, in order
  for (unsigned& word : which) {
    unsigned metadata = 0;
    for (int k = 0; k < 8; ++k) metadata |= pairs[(word >> (4 * k) & 15) % 6] << (4 * k);
    word = metadata;
  }
  multiply<<<1, 32>>>(on_device(a), on_device(b), on_device(which), zeros_on_device<float>(128), zeros_on_device<int>(128));
  check(cudaDeviceSynchronize());
}
