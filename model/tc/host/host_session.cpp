// SPDX-License-Identifier: Apache-2.0
#include "host_session.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/config/config_error.hpp>
#include <tc/config/presets.hpp>
#include <tc/device/run_error.hpp>
#include <tc/device/run_options.hpp>

namespace tc::host {

namespace {

bool is_identifier(std::string_view name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && std::all_of(name.begin(), name.end(), is_word);
}

/// What a device could not be made of is found before anything is built.
config::machine load(const std::string& configuration, const std::vector<std::string>& overrides) {
  try {
    config::machine machine = config::load_configuration(configuration, overrides);
    device::unit_registry{}.choose(machine.units);
    return machine;
  } catch (const config::config_error& error) {
    throw host_error(TCSIM_BAD_CONFIGURATION, error.what());
  } catch (const config::unknown_configuration& error) {
    throw host_error(TCSIM_BAD_CONFIGURATION, error.what());
  } catch (const device::run_error& error) {
    throw host_error(TCSIM_BAD_CONFIGURATION, error.what());
  }
}

/// Reports of SystemC neither print, but for warnings and errors, nor end the process.
void handle_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  constexpr sc_core::sc_actions removed = sc_core::SC_STOP | sc_core::SC_ABORT | sc_core::SC_DISPLAY;
  sc_core::sc_actions kept = actions & ~removed;
  const sc_core::sc_severity severity = report.get_severity();
  if (severity == sc_core::SC_ERROR || severity == sc_core::SC_FATAL) kept |= sc_core::SC_THROW;
  if (severity == sc_core::SC_WARNING) kept |= actions & sc_core::SC_DISPLAY;
  sc_core::sc_report_handler::default_handler(report, kept);
}

/// Of a report what it says, without the place in the sources.
std::string text_of(const std::exception& error) {
  const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error);
  return report == nullptr ? error.what() : fmt::format("{}: {}", report->get_msg_type(), report->get_msg());
}

/// A program of SystemC may have chosen a time resolution that has none.
const sc_core::sc_time& picosecond() {
  static const sc_core::sc_time time(1, sc_core::SC_PS);
  if (time == sc_core::SC_ZERO_TIME)
    throw host_error(TCSIM_BAD_CONFIGURATION, "the time resolution of SystemC is coarser than 1 ps, in which times are given here");
  return time;
}

}  // namespace

host_session& host_session::instance() {
  static auto* const session = new host_session;  // modules cannot go before SystemC does, which is at the end of the process
  return *session;
}

host_session::host_session() {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  sc_core::sc_report_handler::set_handler(handle_report);
}

hosted_device& host_session::create(const std::string& name, const std::string& configuration, const std::vector<std::string>& overrides,
                                    const tcsim_options& options) {
  if (has_begun_) throw host_error(TCSIM_TOO_LATE, name + ": devices are created before time begins, and before the first register access");
  require_whole();
  if (!is_identifier(name)) throw host_error(TCSIM_BAD_ARGUMENT, fmt::format("\"{}\" is no name: letters, digits and _ make one", name));
  if (std::any_of(devices_.begin(), devices_.end(), [&](const auto& each) { return name == each->name(); }))
    throw host_error(TCSIM_BAD_ARGUMENT, name + ": there is a device of this name");
  if ((options.read_memory == nullptr) != (options.write_memory == nullptr))
    throw host_error(TCSIM_BAD_ARGUMENT, name + ": a memory of the program's needs both read_memory and write_memory");
  static_cast<void>(picosecond());
  const config::machine machine = load(configuration, overrides);
  try {
    return *devices_.emplace_back(std::make_unique<hosted_device>(name.c_str(), machine, options));
  } catch (const std::exception& error) {
    // What was built of it stays in SystemC's list of modules, and would keep it from beginning.
    stopped_ = fmt::format("{}: {}", name, text_of(error));
    throw host_error(TCSIM_BAD_CONFIGURATION, stopped_);
  }
}

hosted_device& host_session::device(tcsim_device* handle) const {
  const auto found = std::find_if(devices_.begin(), devices_.end(),
                                  [&](const auto& each) { return static_cast<void*>(each.get()) == static_cast<void*>(handle); });
  if (found == devices_.end()) throw host_error(TCSIM_BAD_ARGUMENT, "this is no device of tcsim_create()");
  return **found;
}

void host_session::begin() {
  require_whole();
  if (!has_begun_) run(sc_core::SC_ZERO_TIME);
}

void host_session::advance(std::uint64_t until_ps) {
  require_whole();
  require_no_callback();
  run(duration_until(until_ps));
}

void host_session::advance_until_idle(std::uint64_t until_ps) {
  require_whole();
  require_no_callback();
  const sc_core::sc_time duration = duration_until(until_ps);
  settle();
  if (are_all_idle()) return;
  ends_when_idle_ = true;
  run(duration);
  ends_when_idle_ = false;
}

std::uint64_t host_session::now() { return sc_core::sc_time_stamp().value() / picosecond().value(); }

void host_session::on_idle() {
  if (ends_when_idle_ && are_all_idle()) sc_core::sc_pause();
}

const char* host_session::keep_statistics(std::string text) {
  statistics_ = std::move(text);
  return statistics_.c_str();
}

void host_session::require_whole() const {
  if (!stopped_.empty()) throw host_error(TCSIM_MODEL_STOPPED, "nothing can be simulated any more: " + stopped_);
}

void host_session::require_no_callback() const {
  if (is_running_) throw host_error(TCSIM_IN_CALLBACK, "time is being advanced: a callback cannot advance it");
}

void host_session::run(const sc_core::sc_time& duration) {
  has_begun_ = is_running_ = true;
  try {
    sc_core::sc_start(duration);
  } catch (const std::exception& error) {
    stopped_ = text_of(error);
  } catch (...) {
    stopped_ = "an exception of unknown type ended the simulation";
  }
  is_running_ = false;
  if (stopped_.empty() && sc_core::sc_get_status() == sc_core::SC_STOPPED) stopped_ = "the simulation was stopped";
  if (!stopped_.empty()) {
    ends_when_idle_ = false;
    throw host_error(TCSIM_MODEL_STOPPED, stopped_);
  }
}

/// What registers have been given since time stood still takes effect: devices that are idle may have an interrupt to tell.
void host_session::settle() {
  do run(sc_core::SC_ZERO_TIME);
  while (sc_core::sc_pending_activity_at_current_time());
}

sc_core::sc_time host_session::duration_until(std::uint64_t until_ps) const {
  if (until_ps < now()) throw host_error(TCSIM_BAD_ARGUMENT, fmt::format("{} ps has passed: it is {} ps", until_ps, now()));
  // Half of SystemC's time, so that nothing that happens at the end of it is due after the end of SystemC's.
  const std::uint64_t latest = sc_core::sc_max_time().value() / picosecond().value() / 2;
  if (until_ps > latest)
    throw host_error(TCSIM_BAD_ARGUMENT, fmt::format("{} ps is longer than time lasts: {} ps at most", until_ps, latest));
  return sc_core::sc_time::from_value(until_ps * picosecond().value()) - sc_core::sc_time_stamp();
}

bool host_session::are_all_idle() const {
  return std::all_of(devices_.begin(), devices_.end(), [](const auto& device) { return device->idle(); });
}

}  // namespace tc::host
