// SPDX-License-Identifier: Apache-2.0
// Loops of which each lane takes another number of turns, with breaks, an early return and a switch.
#include "program.cuh"

__global__ void steps(const unsigned* in, unsigned* out, unsigned* kinds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long value = in[i] % 10007 + 1;
  unsigned count = 0;
  if (in[i] % 11 == 3) {
    out[i] = 0xffffffff;
    return;
  }
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    if (++count > 150) break;
    if (value % 9 == 4) continue;
    for (unsigned k = 0; k < value % 4; ++k) count += k ^ (i & 1);
  }
  switch (in[i] >> 4 & 7) {
    case 0: kinds[i] = count * 3; break;
    case 1: kinds[i] = count - i; break;
    case 2: kinds[i] = ~count; break;
    case 3: kinds[i] = count << (i & 3);
    case 4: kinds[i] += 5; break;
    case 6: kinds[i] = __ballot_sync(__activemask(), i & 1) != 0; break;
    default: kinds[i] = 77;
  }
  __syncwarp();
  out[i] = count;
}

int main() {
  steps<<<3, 128>>>(on_device(random_words(384, 9)), zeros_on_device<unsigned>(384), zeros_on_device<unsigned>(384));
  check(cudaDeviceSynchronize());
}
