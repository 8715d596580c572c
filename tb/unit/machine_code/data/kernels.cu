// SPDX-License-Identifier: Apache-2.0
// Kernels whose machine code the tests decode: each uses a part of the instruction set. Compiled by nvcc 13.0 with -cubin -O3.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

__constant__ float table_of_constants[64];
__device__ unsigned long long counter = 7;
__device__ float cleared[32];

extern "C" __global__ void floats(float* out, const float* in, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = fmaf(x, scale, 0.5f);
  for (int k = 0; k < n; ++k) y += table_of_constants[(i + k) & 63] * __expf(x) + sinf(y) / (x + 3.0f);
  out[i] = fminf(fmaxf(y, -1e10f), sqrtf(fabsf(x))) + __frcp_rz(x) + rintf(y) + cleared[i & 31];
}

extern "C" __global__ void doubles(double* out, const double* in, float* narrow, int n) {
  const int i = threadIdx.x;
  const double x = in[i];
  out[i] = x > 1.5 ? x / in[i + 1] : fma(x, 2.25, -x) + static_cast<double>(static_cast<long long>(x) >> 3);
  narrow[i] = static_cast<float>(x) + static_cast<float>(__double2uint_rd(x)) + static_cast<float>(sqrt(x) < 7);
}

extern "C" __global__ void integers(int* out, const int* in, unsigned divisor, long long wide) {
  const int i = threadIdx.x;
  const unsigned x = in[i];
  const int shifted = __funnelshift_r(x, x + 1, i) ^ __byte_perm(x, i, 0x2103);
  out[i] = x / divisor + x % 7 + __popc(x) + __clz(x) + __brev(x) + __ffs(x) + shifted + __dp4a(x, x, divisor) + abs(in[i + 1]) + min(max(in[i + 2], -5), 77);
  out[i + 1] = static_cast<int>((wide * x) >> 17) + static_cast<int>(wide / (x + 1)) + (x & ~divisor | 0x1234) + __vabsdiffu4(x, divisor);
}

extern "C" __global__ void halves(__half2* out, const __half2* in, __nv_bfloat162* brain) {
  const int i = threadIdx.x;
  const __half2 x = in[i];
  out[i] = __hfma2(x, __float2half2_rn(1.5f), __hmax2(x, out[i])) + __hmul2(x, __halves2half2(__low2half(x), __low2half(x)));
  if (__hgt(__low2half(x), __high2half(x))) out[i + 1] = h2exp2(x);
#if __CUDA_ARCH__ >= 800
  brain[i] = __hfma2(brain[i], brain[i + 1], __floats2bfloat162_rn(2.0f, 3.0f));
#endif
}

extern "C" __global__ void memories(uint4* wide, unsigned char* bytes, unsigned* words, float* sums, unsigned long long* longs) {
  __shared__ unsigned shared[256];
  extern __shared__ unsigned short dynamic[];
  const int i = threadIdx.x;
  volatile unsigned local[16];
  for (int k = 0; k < 16; ++k) local[(k * i) & 15] = k;
  shared[i] = bytes[i] + static_cast<signed char>(bytes[i + 1]) + __ldg(words + i);
  dynamic[i] = static_cast<unsigned short>(i);
  __syncthreads();
  atomicAdd(shared + (i & 7), 1U);
  atomicCAS(words + 4, 3U, shared[i]);
  atomicMax(reinterpret_cast<int*>(words) + 5, i);
  atomicAdd(sums, 1.0f);
  atomicAdd(longs, counter);
  longs[1] = atomicExch(longs + 2, 5ULL);
  __threadfence();
  wide[i] = make_uint4(shared[255 - i], dynamic[i + 1], local[i & 15], atomicAdd(words, 2U));
  counter = clock64();
}

extern "C" __global__ void warps(unsigned* out, unsigned mask) {
  const unsigned lane = threadIdx.x & 31;
  unsigned x = out[lane];
  x += __shfl_xor_sync(~0U, x, 16) + __shfl_sync(mask, x, 3) + __shfl_up_sync(~0U, x, x & 7, 16) + __ballot_sync(mask, x > 5);
  if (__any_sync(mask, x == 9)) x += __match_any_sync(mask, x) + __activemask();
#if __CUDA_ARCH__ >= 800
  x += __reduce_add_sync(mask, x) + __reduce_max_sync(mask, static_cast<int>(x));
#endif
  __syncwarp(mask);
  out[lane] = x;
}

__device__ __noinline__ int recursive(int depth) { return depth < 2 ? depth : recursive(depth - 1) + recursive(depth - 2); }
__device__ __noinline__ float first(float x) { return x * 3; }
__device__ __noinline__ float second(float x) { return x - 8; }
__device__ float (*const volatile choices[2])(float) = {first, second};

extern "C" __global__ void flows(int* out, float* floats, int kind) {
  const int i = threadIdx.x;
  switch (kind) {
    case 0: out[i] = recursive(i); break;
    case 1: out[i] = i * 17; break;
    case 2: floats[i] = choices[i & 1](floats[i]); break;
    case 3: out[i] ^= 0x55; break;
    case 4: if (i == 3) asm volatile("trap;"); break;
    case 5: __nanosleep(100); break;
    case 6: asm volatile("bar.arrive 1, 64;"); break;
    case 7: out[i] = __syncthreads_or(i == out[1]); break;
    default: while (out[0] != kind) out[1] += 1;
  }
}

extern "C" __global__ void matrices(float* out, const __half* a, const __half* b, const signed char* c, int* sums) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> x;
  fragment<matrix_b, 16, 16, 16, __half, col_major> y;
  fragment<accumulator, 16, 16, 16, float> z;
  load_matrix_sync(x, a, 16);
  load_matrix_sync(y, b, 16);
  fill_fragment(z, 0.0f);
  mma_sync(z, x, y, z);
  store_matrix_sync(out, z, 16, mem_row_major);
  fragment<matrix_a, 16, 16, 16, signed char, row_major> i;
  fragment<matrix_b, 16, 16, 16, signed char, col_major> j;
  fragment<accumulator, 16, 16, 16, int> k;
  load_matrix_sync(i, c, 16);
  load_matrix_sync(j, c + 256, 16);
  fill_fragment(k, 1);
  mma_sync(k, i, j, k);
  store_matrix_sync(sums, k, 16, mem_row_major);
}

extern "C" __global__ void copies(float4* out, const float4* in) {
  __shared__ float4 stage[64];
  const int i = threadIdx.x;
#if __CUDA_ARCH__ >= 800
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(stage + i));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n cp.async.commit_group;\n cp.async.wait_group 0;" ::"r"(at), "l"(in + i));
  double d0 = 1, d1 = 2;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d0), "+d"(d1) : "d"(d0), "d"(d1));
  stage[i].x += static_cast<float>(d0 + d1);
#else
  stage[i] = in[i];
#endif
  __syncthreads();
  unsigned r0 = 0, r1 = 0;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(stage)) + i * 16));
  stage[i].y = __uint_as_float(r0 ^ r1);
  out[i] = stage[63 - i];
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2) clusters(unsigned* out, const char* source) {
  __shared__ alignas(128) char tile[4096];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)), to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(at));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(at));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(to), "l"(source), "r"(at) : "memory");
  }
  asm volatile("{.reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W;}" ::"r"(at) : "memory");
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  out[threadIdx.x] = tile[threadIdx.x] + rank;
}
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
extern "C" __global__ void groups(float* out, unsigned long long a, unsigned long long b) {
  float d[4] = {0, 0, 0, 0};
  asm volatile("wgmma.fence.sync.aligned;\n wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;\n"
               " wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
#endif
