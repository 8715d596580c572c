// SPDX-License-Identifier: Apache-2.0
// A matrix transposed through shared memory, in elements of 1, 2, 4, 8 and 16 bytes, with constants of the module.
#include "program.cuh"

__constant__ short scale[5] = {3, -7, 11, 300, -2};

template <typename T>
__device__ void transpose(const T* in, T* out, int size) {
  __shared__ T tile[16][17];
  for (int y = threadIdx.y; y < 16; y += blockDim.y) tile[y][threadIdx.x] = in[y * size + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < 16; y += blockDim.y) out[y * size + threadIdx.x] = tile[threadIdx.x][y];
  __syncthreads();
}

__global__ void copy(const unsigned char* bytes, unsigned char* out, short* scaled) {
  transpose(bytes, out, 16);
  transpose(reinterpret_cast<const short*>(bytes) , reinterpret_cast<short*>(out + 256), 16);
  transpose(reinterpret_cast<const float*>(bytes), reinterpret_cast<float*>(out + 768), 16);
  transpose(reinterpret_cast<const double*>(bytes), reinterpret_cast<double*>(out + 1792), 16);
  transpose(reinterpret_cast<const int4*>(bytes), reinterpret_cast<int4*>(out + 3840), 16);
  const int i = threadIdx.y * 16 + threadIdx.x;
  scaled[i] = static_cast<short>(scale[bytes[i] % 5] * static_cast<signed char>(bytes[i + 64]));
}

int main() {
  const auto words = random_words(1024, 24);
  const auto* const first = reinterpret_cast<const unsigned char*>(words.data());
  copy<<<1, dim3(16, 4)>>>(on_device(std::vector<unsigned char>(first, first + 4096)), zeros_on_device<unsigned char>(7936), zeros_on_device<short>(64));
  check(cudaDeviceSynchronize());
}
