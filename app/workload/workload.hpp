// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/json_document.hpp>
#include <tc/config/machine.hpp>
#include <tc/config/parameter_list.hpp>
#include <tc/config/parameter_override.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// What came of a workload on a machine.
struct workload_outcome {
  exit_status status = exit_status::done;
  std::string message{};             ///< unless done: why, for people
  boost::json::object statistics{};  ///< as `tcsim run --stats` writes them, without `host`; of a study, its figures. Empty: no result
};

/// Something that a machine can be given to do: kernels from traces, a matrix product, a convolution, a study of its arithmetic. Its
/// parameters are those of the subcommand that does the same, and are read, checked and changed like those of a machine.
class workload {
 public:
  virtual ~workload() = default;

  /// One of workload_kinds().
  virtual std::string_view kind() const = 0;
  /// All parameters, also those that are as by default. Reading them gives an equal workload. Names of files are absolute.
  virtual boost::json::object parameters() const = 0;
  /// Sets one of them. Throws config_error as parameter_override::apply does, but not for parameters that do not go together: others may
  /// be set next.
  virtual void set(const tc::config::parameter_override& change) = 0;
  virtual std::unique_ptr<workload> clone() const = 0;

  /// A code of the content of all files it reads; empty if it reads none. Throws usage_error for a file that cannot be read.
  virtual std::string content_code() const = 0;
  /// Throws config_error if the parameters do not go together, and any of the exceptions that current_failure() calls bad input if the
  /// machine cannot do it, without doing it: a trace is opened, a kernel planned, a datapath looked for. Costs little for the second
  /// machine. Touches nothing of SystemC.
  virtual void check(const tc::config::machine& machine) const = 0;
  /// Does it. SystemC elaborates once in a process, and so do the workloads that simulate. Never throws for what happens in the model:
  /// the outcome has the message.
  virtual workload_outcome run(const tc::config::machine& machine) const = 0;
  /// Of a kind that workload_makes_code(): makes the code for this machine from now on, whatever machine runs it. Null: for the machine
  /// that runs it.
  void make_code_for(std::shared_ptr<const tc::config::machine> machine) { code_machine_ = std::move(machine); }
  /// What to write behind `tcsim` to do the same by hand, without --config and --set: `gemm --size 128 --precision f16`.
  virtual std::vector<std::string> arguments() const = 0;

 protected:
  workload() = default;
  workload(const workload&) = default;
  workload& operator=(const workload&) = default;

  /// The machine that code is made for, if `runs` is to run it.
  const tc::config::machine& code_machine(const tc::config::machine& runs) const { return code_machine_ ? *code_machine_ : runs; }

 private:
  std::shared_ptr<const tc::config::machine> code_machine_;
};

/// trace, gemm, conv, replay, error.
const std::vector<std::string>& workload_kinds();

/// Whether workloads of this kind make code for the machine, as a compiler makes it, so that two machines may run different code.
bool workload_makes_code(std::string_view kind);

/// Whether workloads of this kind run on a machine whose cycles count, so that chance (jitter) has a part in them.
bool workload_takes_time(std::string_view kind);

/// A workload of a kind, with parameters from a JSON object; relative names of files are taken from `folder`. Throws config_error for an
/// unknown kind, an unknown key, and a value of a wrong type; check() tells whether they go together.
std::unique_ptr<workload> make_workload(std::string_view kind, const tc::config::json_document& parameters,
                                        const std::filesystem::path& folder);

/// The parameters of a kind with their defaults, units and meanings. `kind` is one of workload_kinds().
std::vector<tc::config::parameter_row> workload_parameters(std::string_view kind);

}  // namespace tcsim
