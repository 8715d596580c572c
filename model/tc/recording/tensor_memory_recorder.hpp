// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <unordered_map>

#include <tc/fabric/recorder.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/recording/stage_recorder.hpp>

namespace tc::recording {

/// Records of the chunks of a tensor memory: cells that are read, written, shifted and cleared, whoever asks for it.
class tensor_memory_recorder {
 public:
  using cycle_t = fabric::cycle_t;

  /// `memory` is the path of the tensor memory.
  tensor_memory_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& memory);

  /// A transaction arrives over a link, whose addresses count from `base` on: that of a chunk, or 0 of the whole memory.
  void arrives(const std::string& link, std::uint64_t base, const tlm::tlm_generic_payload& payload, cycle_t cycle);
  /// It is answered in a cycle.
  void answered(const tlm::tlm_generic_payload& payload, cycle_t cycle);

 private:
  using payload_key = const tlm::tlm_generic_payload*;

  void access(const std::string& link, std::uint64_t base, const tlm::tlm_generic_payload& payload, cycle_t cycle);
  void shifted(const tlm::tlm_generic_payload& payload);
  void cleared(const tlm::tlm_generic_payload& payload, cycle_t cycle);

  fabric::recorder& records_;
  const fabric::clock_domain& clock_;
  std::array<const fabric::record_stream*, isa::tensor_chunks> chunks_{};
  std::unordered_map<payload_key, std::pair<const fabric::record_stream*, std::uint64_t>> open_;  // stream and record
  std::unordered_map<payload_key, cycle_t> shifting_;                                             // where they arrived
  cycle_t shift_free_ = 0;                                                                        // shifts are served one after the other
};

}  // namespace tc::recording
