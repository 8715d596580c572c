// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tc::fabric {

/// The payloads that one initiator sends over links with traits of their own, or what else a unit keeps of each transaction. After warming
/// up, a transaction allocates nothing. The pool must outlive its payloads' use.
template <class Transfer>
class transfer_pool {
 public:
  /// As it was when it was last put back, or made with these arguments; the caller sets all attributes, and puts it back once it has been
  /// answered.
  template <class... Arguments>
  Transfer& get(const Arguments&... arguments) {
    if (free_.empty()) grow(arguments...);
    Transfer& transfer = *free_.back();
    free_.pop_back();
    return transfer;
  }
  void put_back(Transfer& transfer) { free_.push_back(&transfer); }

  /// Payloads in use; 0 at the end of every run.
  std::size_t live() const { return all_.size() - free_.size(); }

 private:
  template <class... Arguments>
  [[gnu::noinline]] void grow(const Arguments&... arguments) {
    all_.push_back(std::make_unique<Transfer>(arguments...));
    free_.reserve(all_.size());
    free_.push_back(all_.back().get());
  }

  std::vector<std::unique_ptr<Transfer>> all_;
  std::vector<Transfer*> free_;
};

}  // namespace tc::fabric
