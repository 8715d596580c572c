// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace tc::silicon {

/// A round of asynchronous instructions of one thread, with the cycles recorded on an H200.
struct asynchronous_round {
  std::string what;  ///< load, store, store_read, arrive_wait, ping_pong
  unsigned bytes = 0;
  unsigned count = 1;  ///< copies in the round
  double cycles = 0;
};

std::ostream& operator<<(std::ostream& out, const asynchronous_round& round);

/// The rows of h200_asynchronous.csv in a folder.
std::vector<asynchronous_round> asynchronous_rounds(const std::filesystem::path& folder);

/// Cycles of a round in the model, on the average of several when the first have brought the data into the L2 cache. Throws
/// std::runtime_error if the run does not finish.
double cycles_of(const asynchronous_round& round);

}  // namespace tc::silicon
