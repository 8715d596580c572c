// SPDX-License-Identifier: Apache-2.0
// Inclusive sums over each block: shuffles in a warp, shared memory between warps. A block that is not full of elements.
#include "program.cuh"

__global__ void scan(const int* in, int* out, int* totals, int n) {
  __shared__ int of_warps[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = i < n ? in[i] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xffffffff, value, distance);
    if (lane >= distance) value += other;
  }
  if (lane == 31) of_warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < 8 ? of_warps[lane] : 0;
    for (int distance = 1; distance < 8; distance *= 2) {
      const int other = __shfl_up_sync(0xffffffff, sum, distance);
      if (lane >= distance) sum += other;
    }
    if (lane < 8) of_warps[lane] = sum;
  }
  __syncthreads();
  if (warp > 0) value += of_warps[warp - 1];
  if (i < n) out[i] = value;
  if (threadIdx.x == 255) totals[blockIdx.x] = value;
}

int main() {
  const auto words = random_words(700, 10);
  scan<<<3, 256>>>(on_device(std::vector<int>(words.begin(), words.end())), zeros_on_device<int>(700), zeros_on_device<int>(3), 700);
  check(cudaDeviceSynchronize());
}
