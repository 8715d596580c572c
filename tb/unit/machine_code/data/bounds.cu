// SPDX-License-Identifier: Apache-2.0
// Kernels that say for which blocks and clusters they are. Compiled by nvcc 13.0 with -cubin -arch=sm_90.
extern "C" __global__ void __launch_bounds__(128) up_to_128(int* p) { p[threadIdx.x] = 1; }
extern "C" __global__ void __cluster_dims__(2,2,1) clusters_of_4(int* p) { p[threadIdx.x] = 1; }
extern "C" __global__ void __block_size__((64,2,1),(2,1,1)) blocks_of_128(int* p) { p[threadIdx.x] = 1; }
