// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <string>
#include <utility>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/study/vector_header.hpp>

namespace tcsim {

/// The machine on which a vector file is replayed.
struct replay_configuration {
  std::string name;  ///< as the user named it, or of the built-in one that was chosen
  tc::config::machine machine;
};

/// Loads the configurations of replays: one for all files, or for each file the built-in one of the generation that the file is from.
class replay_configurations {
 public:
  /// `file_or_name` is what stands after --config, empty without; `assignments` what stands after each --set.
  replay_configurations(std::string file_or_name, std::vector<std::string> assignments)
      : file_or_name_(std::move(file_or_name)), assignments_(std::move(assignments)) {}

  /// Throws usage_error if nobody says which and the file does not tell, config_error for a wrong configuration.
  const replay_configuration& operator()(const std::string& file, const tc::study::vector_header& header);

 private:
  const replay_configuration& load(const std::string& name);

  std::string file_or_name_;
  std::vector<std::string> assignments_;
  std::list<replay_configuration> loaded_;  ///< which stay where they are
};

/// Why the vectors may not fit the machine: they are from an architecture that it does not accept. Empty if they fit, or do not say.
std::string origin_warning(const std::string& file, const tc::study::vector_header& header, const replay_configuration& configuration);

}  // namespace tcsim
