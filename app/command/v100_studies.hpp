// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tcsim {

/// What two studies of the V100, both f16 x f16, answered to a question; "-" where they did not ask.
struct v100_answer {
  std::string fasi;      ///< Fasi, Higham, Mikaitis and Pranesh, PeerJ CS 7:e330, 2021
  std::string hickmann;  ///< Hickmann and Bradford, 2019
};

/// `key` is that of a tc::study::finding. The answers differ for results in f32 and in f16.
v100_answer v100_answer_to(std::string_view key, bool to_f16);

}  // namespace tcsim
