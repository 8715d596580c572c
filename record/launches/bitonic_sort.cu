// SPDX-License-Identifier: Apache-2.0
// A bitonic sort of 512 numbers with their places in shared memory.
#include "program.cuh"

__global__ void sort(const float* keys, float* sorted, unsigned short* places) {
  __shared__ float key[512];
  __shared__ unsigned short place[512];
  for (int half = 0; half < 2; ++half) {
    key[threadIdx.x + 256 * half] = keys[threadIdx.x + 256 * half];
    place[threadIdx.x + 256 * half] = static_cast<unsigned short>(threadIdx.x + 256 * half);
  }
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
      const bool up = (low & size) == 0;
      if ((key[low] > key[high]) == up) {
        const float other = key[low];
        key[low] = key[high];
        key[high] = other;
        const unsigned short with = place[low];
        place[low] = place[high];
        place[high] = with;
      }
    }
  __syncthreads();
  for (int half = 0; half < 2; ++half) {
    sorted[threadIdx.x + 256 * half] = key[threadIdx.x + 256 * half];
    places[threadIdx.x + 256 * half] = place[threadIdx.x + 256 * half];
  }
}

int main() {
  std::vector<float> keys(512);
  const auto words = random_words(512, 13);
  for (int i = 0; i < 512; ++i) keys[i] = static_cast<float>(static_cast<int>(words[i])) / 1024;
  sort<<<1, 256>>>(on_device(keys), zeros_on_device<float>(512), zeros_on_device<unsigned short>(512));
  check(cudaDeviceSynchronize());
}
