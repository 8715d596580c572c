// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace tc::record {

/// Throws std::runtime_error with file, line and CUDA's message if `status` is an error.
inline void check_cuda(cudaError_t status, const char* what, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what + ": " + cudaGetErrorString(status));
}

#define TC_CUDA(call) ::tc::record::check_cuda((call), #call, __FILE__, __LINE__)

/// An array in the GPU's memory.
template <typename Element>
class device_array {
 public:
  /// `size` elements, all bytes zero.
  explicit device_array(std::size_t size) : size_(size) {
    TC_CUDA(cudaMalloc(&data_, bytes()));
    TC_CUDA(cudaMemset(data_, 0, bytes()));
  }
  explicit device_array(const std::vector<Element>& elements) : device_array(elements.size()) {
    TC_CUDA(cudaMemcpy(data_, elements.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  Element* data() { return data_; }

  /// The elements once all kernels launched before are done; their errors appear here.
  std::vector<Element> read() const {
    std::vector<Element> elements(size_);
    TC_CUDA(cudaMemcpy(elements.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return elements;
  }

 private:
  std::size_t bytes() const { return size_ * sizeof(Element); }

  Element* data_ = nullptr;
  std::size_t size_;
};

}  // namespace tc::record
