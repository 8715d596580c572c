// SPDX-License-Identifier: Apache-2.0
#include "experiment.hpp"

#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tc::validation {

void study::add(comparison value, std::function<double()> run) {
  add(std::vector<comparison>{std::move(value)}, [run = std::move(run)] { return std::vector<double>{run()}; });
}

void study::add(std::vector<comparison> values, std::function<std::vector<double>()> run) {
  experiments_.push_back({source_.values.size(), values.size(), std::move(run)});
  for (comparison& value : values) source_.values.push_back(std::move(value));
}

void study::set(const experiment& of, const std::vector<double>& model) {
  if (model.size() != of.values)
    throw std::runtime_error(fmt::format("{}: {}: the model gives {} values instead of {}", source_.title, source_.values.at(of.first).what,
                                         model.size(), of.values));
  for (std::size_t i = 0; i < model.size(); ++i) source_.values.at(of.first + i).model = model[i];
}

namespace {

/// An experiment in a process of its own, which writes the values into a pipe. They fit into it, so that nobody need read while it runs.
struct running {
  std::size_t study = 0, experiment = 0;
  int pipe = -1;
};

[[noreturn]] void compute(const experiment& what, int pipe) {
  try {
    const std::vector<double> values = what.run();
    const std::size_t bytes = values.size() * sizeof(double);
    _exit(write(pipe, values.data(), bytes) == static_cast<ssize_t>(bytes) ? 0 : 1);
  } catch (const std::exception& error) {
    std::fputs(fmt::format("tc_validation: {}\n", error.what()).c_str(), stderr);
    _exit(1);
  }
}

/// Starts processes and gathers what they compute.
class process_pool {
 public:
  explicit process_pool(std::vector<study>& studies) : studies_(studies) {}

  std::size_t size() const { return running_.size(); }

  void start(std::size_t study, std::size_t experiment) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no more pipes");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no more processes");
    if (child == 0) compute(studies_[study].experiments()[experiment], ends[1]);
    close(ends[1]);
    running_[child] = {study, experiment, ends[0]};
  }

  void finish_one() {
    int status = 0;
    const pid_t child = wait(&status);
    const auto found = running_.find(child);
    if (found == running_.end()) throw std::runtime_error("lost a process");
    const running which = found->second;
    running_.erase(found);
    std::vector<double> values;
    double value = 0;
    while (read(which.pipe, &value, sizeof value) == sizeof value) values.push_back(value);
    close(which.pipe);
    study& of = studies_[which.study];
    const experiment& done = of.experiments()[which.experiment];
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw std::runtime_error(fmt::format("{}: {}: the model fails", of.described().title, of.described().values.at(done.first).what));
    of.set(done, values);
  }

 private:
  std::vector<study>& studies_;
  std::map<pid_t, running> running_;
};

}  // namespace

std::vector<source> run(std::vector<study> studies, unsigned jobs) {
  process_pool pool(studies);
  for (std::size_t s = 0; s < studies.size(); ++s) {
    for (std::size_t e = 0; e < studies[s].experiments().size(); ++e) {
      if (pool.size() >= jobs) pool.finish_one();
      pool.start(s, e);
    }
  }
  while (pool.size() > 0) pool.finish_one();
  std::vector<source> sources;
  sources.reserve(studies.size());
  for (const study& each : studies) sources.push_back(each.described());
  return sources;
}

}  // namespace tc::validation
