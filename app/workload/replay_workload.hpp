// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/study/vector_header.hpp>

#include "parameter_workload.hpp"
#include "replay_parameters.hpp"

namespace tcsim {

/// Recorded vectors against the arithmetic of a machine, as of `tcsim replay`. Nothing is simulated.
class replay_workload final : public parameter_workload<replay_workload, replay_parameters> {
 public:
  static constexpr const char* kind_name = "replay";
  using parameter_workload::parameter_workload;

  std::string content_code() const override;
  std::vector<std::string> arguments() const override;

  void check_valid(const tc::config::machine& machine) const;
  workload_outcome run_valid(const tc::config::machine& machine) const;

 private:
  const std::vector<tc::study::vector_header>& headers() const;

  mutable std::vector<std::string> headers_of_;  ///< files whose headers have been read
  mutable std::vector<tc::study::vector_header> headers_;
};

}  // namespace tcsim
