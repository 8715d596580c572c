// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of 32 and 64 bits, signed and not.
#include "program.cuh"

__global__ void divide(const int* a, const int* b, const long long* c, const long long* d, int* out, unsigned* unsigned_out, long long* long_out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[2 * i] = a[i] / b[i];
  out[2 * i + 1] = a[i] % b[i];
  unsigned_out[2 * i] = unsigned(a[i]) / unsigned(b[i]);
  unsigned_out[2 * i + 1] = unsigned(a[i]) % unsigned(b[i]) / 7u;
  long_out[2 * i] = c[i] / d[i];
  long_out[2 * i + 1] = c[i] % d[i];
}

int main() {
  constexpr int n = 300;
  const auto x = random_words(n, 1), y = random_words(n, 2), z = random_words(2 * n, 3), w = random_words(2 * n, 4);
  std::vector<int> a(n), b(n);
  std::vector<long long> c(n), d(n);
  for (int i = 0; i < n; ++i) {
    a[i] = int(x[i]);
    b[i] = int(y[i]) >> (i % 31);
    c[i] = (long long)(std::uint64_t(z[2 * i]) << 32 | z[2 * i + 1]);
    d[i] = (long long)(std::uint64_t(w[2 * i]) << 32 | w[2 * i + 1]) >> (i % 60);
    if (b[i] == 0) b[i] = 3;
    if (d[i] == 0) d[i] = -5;
  }
  divide<<<3, 128>>>(on_device(a), on_device(b), on_device(c), on_device(d), zeros_on_device<int>(2 * n), zeros_on_device<unsigned>(2 * n),
                     zeros_on_device<long long>(2 * n), n);
  check(cudaDeviceSynchronize());
}
