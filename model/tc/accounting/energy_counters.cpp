// SPDX-License-Identifier: Apache-2.0
#include "energy_counters.hpp"

namespace tc::accounting {

const std::vector<energy_counter>& energy_counters() {
  static const std::vector<energy_counter> counters{
      {"instruction", "scheduler", "issued"},
      {"register_read", "operand_fetch", "registers_read"},
      {"register_read", "warpgroup", "accumulators_read"},
      {"register_read", "sub_core.tensor_memory", "registers_read"},
      {"register_write", "write_back", "registers_written"},
      {"register_write", "warpgroup", "accumulators_written"},
      {"register_write", "sub_core.tensor_memory", "registers_written"},
      {"reuse_hit", "operand_fetch", "reuse_hits"},
      {"a_fill_byte", "tensor_core", "a_bytes_filled"},
      {"b_fill_byte", "b_buffer", "bytes_filled"},
      {"accumulator_fill_byte", "tensor_core", "accumulator_bytes_filled"},
      {"multiply_accumulate", "tensor", "multiply_accumulates_of"},
      {"multiply_accumulate", "warpgroup", "multiply_accumulates_of"},
      {"multiply_accumulate", "tensor_engine.matrices", "multiply_accumulates_of"},
      {"shared_memory_byte", "shared_memory", "bytes_read"},
      {"shared_memory_byte", "shared_memory", "bytes_written"},
      {"global_memory_byte", "global_memory", "bytes_read"},
      {"global_memory_byte", "global_memory", "bytes_written"},
      {"l1_byte", "global_memory", "l1_bytes"},
      {"l2_byte", "global_memory", "l2_bytes"},
      {"dram_byte", "global_memory", "dram_bytes"},
      {"tensor_memory_byte", "tensor_memory.chunk", "bytes_read"},
      {"tensor_memory_byte", "tensor_memory.chunk", "bytes_written"},
      {"tensor_memory_byte", "tensor_memory.chunk", "engine_bytes_read"},
      {"tensor_memory_byte", "tensor_memory.chunk", "engine_bytes_written"},
      {"tensor_memory_byte", "tensor_memory.chunk", "bytes_shifted"},
      {"constant_pass", "constant", "passes"},
      {"sm_cycle", "sm", ""},
  };
  return counters;
}

}  // namespace tc::accounting
