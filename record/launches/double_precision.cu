// SPDX-License-Identifier: Apache-2.0
// f64: sums of products, quotients, roots, comparisons, conversions to and from integers and f32.
#include "program.cuh"

__global__ void compute(const double* a, const double* b, double* out, long long* integers, float* singles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 8; ++k) sum = fma(a[(i + k) % 128], b[(i * 3 + k) % 128], sum);
  out[4 * i] = sum;
  out[4 * i + 1] = a[i] / b[i];
  out[4 * i + 2] = sqrt(fabs(a[i]));
  out[4 * i + 3] = fmax(a[i], -b[i]) - floor(b[i]);
  integers[2 * i] = static_cast<long long>(a[i]);
  integers[2 * i + 1] = a[i] < b[i] ? static_cast<int>(b[i]) : static_cast<unsigned>(fabs(a[i]));
  singles[i] = static_cast<float>(a[i] * b[i]) + static_cast<float>(i);
}

int main() {
  std::vector<double> a(128), b(128);
  const auto words = random_words(512, 14);
  for (int i = 0; i < 128; ++i) {
    a[i] = static_cast<int>(words[4 * i]) / 65536.0 + words[4 * i + 1] / 4294967296.0;
    b[i] = static_cast<int>(words[4 * i + 2]) / 1048576.0 + words[4 * i + 3] / 4294967296.0;
  }
  compute<<<2, 64>>>(on_device(a), on_device(b), zeros_on_device<double>(512), zeros_on_device<long long>(256), zeros_on_device<float>(128));
  check(cudaDeviceSynchronize());
}
