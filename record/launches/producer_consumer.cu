// SPDX-License-Identifier: Apache-2.0
// Blocks in pairs: one fills the places of a ring and raises their flags, the other waits for a flag, takes what is there and lowers it.
#include "program.cuh"

constexpr unsigned places = 2, rounds = 10, threads = 64;

struct ring {
  volatile unsigned flag[places];
  volatile unsigned value[places][threads];
};

__global__ void pass_on(const unsigned* in, ring* rings, unsigned* out) {
  ring& own = rings[blockIdx.x / 2];
  const bool produces = blockIdx.x % 2 == 0;
  unsigned sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned place = round % places;
    if (threadIdx.x == 0)
      while (own.flag[place] != (produces ? 0U : 1U)) {}
    __syncthreads();
    __threadfence();
    if (produces)
      own.value[place][threadIdx.x] = in[(blockIdx.x / 2 * rounds + round) * threads + threadIdx.x] * 3 + round;
    else
      sum = sum * 17 + own.value[place][threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) own.flag[place] = produces ? 1 : 0;
  }
  if (!produces) out[blockIdx.x / 2 * threads + threadIdx.x] = sum;
}

int main() {
  constexpr unsigned pairs = 3;
  pass_on<<<2 * pairs, threads>>>(on_device(random_words(pairs * rounds * threads, 59)), zeros_on_device<ring>(pairs),
                                  zeros_on_device<unsigned>(pairs * threads));
  check(cudaDeviceSynchronize());
}
