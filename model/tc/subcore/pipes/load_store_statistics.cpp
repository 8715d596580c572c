// SPDX-License-Identifier: Apache-2.0
#include <tc/subcore/pipes/load_store_unit.hpp>

namespace tc::subcore {

void load_store_unit::collect(fabric::statistics_sink& sink) const {
  sink.busy(busy_cycles_, "Cycles from each access that left for the memories to where the next one could");
  occupancy_.collect(sink);
  sink.count("loads", loads_, "instructions", "Loads");
  sink.count("stores", stores_, "instructions", "Stores");
  sink.count("matrix_accesses", matrix_accesses_, "instructions", "Loads and stores of 8x8 matrices among them");
  sink.count("wavefronts", wavefronts_, "wavefronts", "Conflict-free parts of accesses to shared memory");
  sink.count("bank_conflicts", conflicts_, "wavefronts", "Wavefronts needed only because several words lay in one bank");
  sink.count("requests", requests_, "requests", "Lines of global memory asked for");
  constexpr auto in_shared = static_cast<unsigned>(memory_space::shared), in_global = static_cast<unsigned>(memory_space::global);
  sink.bytes("shared_bytes_read", bytes_loaded_[in_shared], "Bytes of shared memory that wavefronts read");
  sink.bytes("shared_bytes_written", bytes_stored_[in_shared], "Bytes of shared memory that wavefronts wrote");
  sink.bytes("global_bytes_read", bytes_loaded_[in_global], "Bytes of global memory that loads read, once for all lanes");
  sink.bytes("global_bytes_written", bytes_stored_[in_global], "Bytes of global memory that stores wrote, once for all lanes");
  if (params_.data) sink.count("transactions", transactions_, "transactions", "Transactions sent to both memories");
  sink.count("queue_full", queue_.times_full(), "instructions", "Instructions that took the last entry of the queue");
}

}  // namespace tc::subcore
