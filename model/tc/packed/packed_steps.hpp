// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tc/packed/packed_stream.hpp>
#include <tc/trace/step_source.hpp>

namespace tc::packed {

/// The steps of a packed trace.
class packed_steps final : public trace::step_source {
 public:
  explicit packed_steps(packed_stream stream) : stream_(std::move(stream)) {}

  std::size_t piece_bytes() const override { return stream_.block_bytes(); }
  std::size_t read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const override {
    return stream_.read(offset, destination, count);
  }
  void verify() const override { stream_.file().verify(); }
  bool is_foreign() const override { return true; }

 private:
  packed_stream stream_;
};

}  // namespace tc::packed
