// SPDX-License-Identifier: Apache-2.0
// Pairs of f16 and of bf16, and conversions between f32, f16, bf16, e4m3, e5m2 and integers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "program.cuh"

__global__ void compute(const float* a, const float* b, __half2* halves, __nv_bfloat162* brains, unsigned short* eighths, float* singles, int* integers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 x = __floats2half2_rn(a[i], b[i]), y = __floats2half2_rn(b[i] + 1, a[i] - 2);
  halves[3 * i] = __hfma2(x, y, x);
  halves[3 * i + 1] = __hmax2(__hsub2(x, y), __hmul2(x, x));
  halves[3 * i + 2] = __hlt2(x, y);
  const __nv_bfloat162 p = __floats2bfloat162_rn(a[i], b[i]), q = __floats2bfloat162_rn(b[i] * 3, a[i]);
  brains[2 * i] = __hfma2(p, q, p);
  brains[2 * i + 1] = __hadd2(p, __hneg2(q));
  eighths[2 * i] = __nv_cvt_float2_to_fp8x2(make_float2(a[i], b[i]), __NV_SATFINITE, __NV_E4M3);
  eighths[2 * i + 1] = __nv_cvt_float2_to_fp8x2(make_float2(a[i] * 100, b[i]), __NV_SATFINITE, __NV_E5M2);
  singles[3 * i] = __half2float(__low2half(x)) + __bfloat162float(__high2bfloat16(q));
  singles[3 * i + 1] = __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(eighths[2 * i]), __NV_E4M3)));
  singles[3 * i + 2] = static_cast<float>(static_cast<unsigned>(i) * 2654435761u) + rintf(a[i]);
  integers[4 * i] = __float2int_rz(a[i] * 1000);
  integers[4 * i + 1] = __float2int_rd(b[i]) + __float2int_ru(a[i]);
  integers[4 * i + 2] = static_cast<short>(__half2short_rn(__low2half(x)));
  integers[4 * i + 3] = static_cast<int>(__float2uint_rn(fabsf(a[i]))) + static_cast<signed char>(integers[4 * i]);
}

int main() {
  std::vector<float> a(96), b(96);
  const auto words = random_words(192, 15);
  for (int i = 0; i < 96; ++i) a[i] = static_cast<int>(words[2 * i]) / 4.3e7f, b[i] = static_cast<int>(words[2 * i + 1]) / 1.3e9f;
  compute<<<1, 96>>>(on_device(a), on_device(b), zeros_on_device<__half2>(288), zeros_on_device<__nv_bfloat162>(192), zeros_on_device<unsigned short>(192),
                     zeros_on_device<float>(288), zeros_on_device<int>(384));
  check(cudaDeviceSynchronize());
}
