// SPDX-License-Identifier: Apache-2.0
// A lock that hands out tickets: one thread of each warp after the other changes words that no atomic operation protects.
#include "program.cuh"

struct account {
  unsigned next_ticket, serving, count, sum, largest, mixed;
};

__global__ void count_under_lock(const unsigned* in, volatile account* shared) {
  const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (threadIdx.x % 32 != 0) return;
  for (unsigned turn = 0; turn < 4; ++turn) {
    const unsigned value = in[warp * 4 + turn];
    const unsigned ticket = atomicAdd(const_cast<unsigned*>(&shared->next_ticket), 1);
    while (shared->serving != ticket) {}
    __threadfence();
    shared->count = shared->count + 1;
    shared->sum = shared->sum + value;
    if (value > shared->largest) shared->largest = value;
    shared->mixed = shared->mixed ^ (value << turn);
    __threadfence();
    shared->serving = ticket + 1;
  }
}

int main() {
  count_under_lock<<<6, 128>>>(on_device(random_words(96, 41)), zeros_on_device<account>(1));
  check(cudaDeviceSynchronize());
}
