// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>
#include <tc/config/validation.hpp>
#include <tc/study/vector_header.hpp>

#include "parameter_workload.hpp"

namespace tcsim {

/// Recorded vectors to compare with what a machine computes, as the options of `tcsim replay` describe it.
struct replay_parameters {
  std::vector<std::string> files{};
  bool errors = true;
};
BOOST_DESCRIBE_STRUCT(replay_parameters, (), (files, errors))

inline constexpr auto describe_parameters(const replay_parameters*) {
  using tc::config::parameter_note;
  return std::array{
      parameter_note{"files", "", "vectors: fragments of instructions (.bin) or dot products (.dot), plain, .xz or .gz", ""},
      parameter_note{"errors", "", "measure also how far what the machine computes is from exact sums, of floating-point vectors", ""},
  };
}

/// Throws config_error.
inline void validate(const replay_parameters& parameters, const std::string& path) {
  tc::config::require(!parameters.files.empty(), tc::config::member_path(path, "files"), "is empty: name at least one vector file");
}

/// Recorded vectors against the arithmetic of a machine, as of `tcsim replay`. Nothing is simulated.
class replay_workload final : public parameter_workload<replay_workload, replay_parameters> {
 public:
  static constexpr bool makes_code = false;
  static constexpr bool takes_time = false;
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
