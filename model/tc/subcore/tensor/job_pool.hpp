// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tc::subcore {

/// Jobs of a unit, made when they are first needed and used again. A Job has a member `Job* next_free`.
template <class Job>
class job_pool {
 public:
  /// A free job; a new one, made with these arguments, if there is none.
  template <class... Arguments>
  Job& take(const Arguments&... arguments) {
    ++taken_;
    if (free_ == nullptr) return *all_.emplace_back(std::make_unique<Job>(arguments...));
    return *std::exchange(free_, free_->next_free);
  }
  void give_back(Job& job) {
    --taken_;
    job.next_free = std::exchange(free_, &job);
  }
  std::size_t taken() const { return taken_; }

 private:
  Job* free_ = nullptr;
  std::size_t taken_ = 0;
  std::vector<std::unique_ptr<Job>> all_;
};

}  // namespace tc::subcore
