// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tc::validation {

/// Whether a parameter of the model was set by the number that the model is compared with.
enum class basis { predicted, fitted };

/// A published or recorded number and the model's.
struct comparison {
  std::string what;
  double measured = 0;
  basis origin = basis::predicted;
  std::optional<double> model{};  ///< none: the model has nothing of the kind
};

/// The numbers of one publication or recording.
struct source {
  std::string generation;  ///< "Volta", ...; "Arithmetic"
  std::string title;       ///< unique in its generation
  std::string citation;    ///< who measured or published it
  std::string method;      ///< what the numbers are, and how the model comes to its own
  std::string unit;        ///< such as "cycles"
  unsigned decimals = 0;   ///< that the numbers are given with
  bool counts = false;     ///< each number is how many there are, the model's how many of them agree
  std::vector<comparison> values{};
};

/// Generation and title.
std::string full_title(const source& of);

/// A value with the decimals of its source.
std::string value_text(double value, const source& of);

/// The error of a value in percent; none if it is not modelled.
std::optional<double> error_percent(const comparison& value);

/// How well the model does on a set of values.
struct score {
  std::size_t values = 0, fitted = 0, unmodelled = 0;
  std::size_t exact = 0;     ///< equal in the decimals that the source gives
  std::size_t within_2 = 0;  ///< within 2 %
  double mean_percent = 0;   ///< mean of the errors' magnitudes
  double worst_percent = 0;  ///< the error of the largest magnitude

  /// Adds the values of a source: all, or those of an origin.
  void add(const source& of, std::optional<basis> origin = std::nullopt);
  std::size_t modelled() const { return values - unmodelled; }

 private:
  double sum_percent_ = 0;
};

/// The mean of several sources' mean errors, in which a recording of hundreds of values counts no more than a table of four.
struct mean_over_sources {
  std::size_t sources = 0;
  double percent = 0;

  /// Adds the values of a source, all or those of an origin; nothing if it has none that are modelled.
  void add(const source& of, std::optional<basis> origin = std::nullopt);
};

/// Whether no parameter was set by any value of a source.
bool is_unseen(const source& of);

}  // namespace tc::validation
