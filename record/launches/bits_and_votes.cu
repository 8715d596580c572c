// SPDX-License-Identifier: Apache-2.0
// Operations on bits, bytes and 64-bit integers, sums of absolute differences and dot products of bytes; votes, matches, reductions of a warp.
#include "program.cuh"

__global__ void compute(const unsigned* a, const unsigned* b, unsigned* out, unsigned long long* long_out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* const to = out + 20 * i;
  to[0] = __brev(a[i]) ^ __clz(b[i]) ^ __ffs(a[i]) << 8;
  to[1] = __byte_perm(a[i], b[i], b[i] & 0x7777);
  to[2] = __funnelshift_r(a[i], b[i], i) + __popc(a[i] & b[i]);
  to[3] = __dp4a(static_cast<int>(a[i]), static_cast<int>(b[i]), i);
  to[4] = __dp4a(a[i], b[i], 7u) + __dp2a_lo(static_cast<int>(a[i]), static_cast<int>(b[i]), 3);
  to[5] = __sad(static_cast<int>(a[i]), static_cast<int>(b[i]), 9u) + __usad(a[i], b[i], 1u);
  to[6] = __vadd4(a[i], b[i]) ^ __vmaxs2(a[i], b[i]);
  to[7] = __vabsdiffu4(a[i], b[i]) + __vcmpgtu4(a[i], b[i]);
  to[8] = __mulhi(static_cast<int>(a[i]), static_cast<int>(b[i])) ^ __umulhi(a[i], b[i]);
  to[9] = __ballot_sync(0xffffffff, a[i] & 4);
  to[10] = __any_sync(0xffffffff, a[i] == 0) + 2 * __all_sync(0xffffffff, i >= 0);
  to[11] = __match_any_sync(0xffffffff, a[i] % 5);
  int same = 0;
  to[12] = __match_all_sync(0xffffffff, i / 32, &same) + same;
  to[13] = __reduce_add_sync(0xffffffff, a[i]) ^ __reduce_xor_sync(0xffffffff, b[i]);
  to[14] = __reduce_min_sync(0xffffffff, static_cast<int>(a[i])) + __reduce_max_sync(0xffffffff, b[i]);
  to[15] = __shfl_sync(0xffffffff, a[i], b[i] & 31) + __shfl_xor_sync(0xffffffff, b[i], 5, 16);
  to[16] = __shfl_down_sync(0xffffffff, a[i], 3, 8);
  if (i % 32 >= 11) to[17] = __shfl_up_sync(0xfffff800, a[i], 2) + __activemask();
  to[18] = min(max(static_cast<int>(a[i]), -70000), 70000) + (a[i] > b[i] ? 1 : 0);
  to[19] = 31 - __clz(static_cast<int>(a[i] ^ (static_cast<int>(a[i]) >> 31)));
  long_out[2 * i] = static_cast<unsigned long long>(a[i]) * b[i] + (static_cast<unsigned long long>(b[i]) << (i & 63));
  long_out[2 * i + 1] = __brevll(long_out[2 * i]) ^ __clzll(static_cast<long long>(a[i]) << 20) ^ __mul64hi(static_cast<long long>(a[i]) << 31, -static_cast<long long>(b[i]) << 9);
}

int main() {
  compute<<<2, 64>>>(on_device(random_words(128, 16)), on_device(random_words(128, 17)), zeros_on_device<unsigned>(2560), zeros_on_device<unsigned long long>(256));
  check(cudaDeviceSynchronize());
}
