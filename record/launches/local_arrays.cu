// SPDX-License-Identifier: Apache-2.0
// An array of each thread, whose indices are known at run time only: insertion sort, and bytes.
#include "program.cuh"

__global__ void sort_each(const int* in, int* out, unsigned char* bytes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int values[17];
  for (int k = 0; k < 17; ++k) values[k] = in[i * 17 + k] >> (i % 20);
  for (int k = 1; k < 17; ++k) {
    const int value = values[k];
    int place = k;
    for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
    values[place] = value;
  }
  unsigned char text[24];
  for (int k = 0; k < 24; ++k) text[(k * 7 + i) % 24] = static_cast<unsigned char>(values[k % 17]);
  for (int k = 0; k < 17; ++k) out[i * 17 + k] = values[(k + i) % 17];
  for (int k = 0; k < 24; ++k) bytes[i * 24 + k] = text[k];
}

int main() {
  const auto words = random_words(64 * 17, 8);
  sort_each<<<1, 64>>>(on_device(std::vector<int>(words.begin(), words.end())), zeros_on_device<int>(64 * 17), zeros_on_device<unsigned char>(64 * 24));
  check(cudaDeviceSynchronize());
}
