// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <systemc>

#include <tc/host/hosted_device.hpp>
#include <tc/host/tcsim.h>

namespace tc::host {

/// A misuse that a C function answers with a status. what() is for people.
class host_error final : public std::runtime_error {
 public:
  host_error(tcsim_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  tcsim_status status() const { return status_; }

 private:
  tcsim_status status_;
};

/// The one simulation of the process as C functions see it: its devices, and time. All functions throw host_error for a misuse.
class host_session {
 public:
  static host_session& instance();

  hosted_device& create(const std::string& name, const std::string& configuration, const std::vector<std::string>& overrides,
                        const tcsim_options& options);
  /// A device of this session.
  hosted_device& device(tcsim_device* handle) const;

  /// Ends the elaboration. Registers can be accessed from here on.
  void begin();
  void advance(std::uint64_t until_ps);
  void advance_until_idle(std::uint64_t until_ps);
  static std::uint64_t now();

  /// A device has become idle.
  void on_idle();
  /// Text that lasts until the next one.
  const char* keep_statistics(std::string text);

 private:
  host_session();

  void require_whole() const;
  void require_no_callback() const;
  void run(const sc_core::sc_time& duration);
  void settle();
  sc_core::sc_time duration_until(std::uint64_t until_ps) const;
  bool are_all_idle() const;

  std::vector<std::unique_ptr<hosted_device>> devices_;
  bool has_begun_ = false, is_running_ = false, ends_when_idle_ = false;
  std::string stopped_;  // why nothing can be simulated any more; empty: it can
  std::string statistics_;
};

}  // namespace tc::host
