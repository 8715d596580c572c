// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// How many accesses of warps to shared memory took how many wavefronts, and how many of these bank conflicts were the reason for, in the
/// whole run. Takes records of the type `shared_access`, with the attributes `kind`, `wavefronts` and `conflicts`.
class shared_access_picture {
 public:
  void write(const fabric::record_event& event);
  bool empty() const { return accesses_.empty(); }

  /// [{"kind", "wavefronts", "conflicts", "accesses"}], ordered by these.
  boost::json::array json() const;

 private:
  std::map<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>, std::uint64_t> accesses_;
};

}  // namespace tc::observe
