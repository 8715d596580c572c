// SPDX-License-Identifier: Apache-2.0
// An assertion that fails in one thread.
#include <cassert>

#include "program.cuh"

__global__ void check_each(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] % 128 != 77);
  out[i] = in[i];
}

int main() {
  auto words = random_words(128, 25);
  for (unsigned& word : words) word -= word % 128 == 77;
  words[70] = 77;
  check_each<<<2, 64>>>(on_device(words), zeros_on_device<unsigned>(128));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
