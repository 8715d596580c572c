// SPDX-License-Identifier: Apache-2.0
// The C functions: each turns exceptions into a status, and keeps the text.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include <tc/host/host_session.hpp>
#include <tc/host/tcsim.h>
#include <tc/observe/statistics_json.hpp>
#include <tc/version.hpp>

namespace tc::host {

namespace {

std::string& last_error() {
  static std::string text;
  return text;
}

template <class Action>
tcsim_status guarded(Action action) noexcept {
  try {
    action();
    return TCSIM_OK;
  } catch (const host_error& error) {
    last_error() = error.what();
    return error.status();
  } catch (const std::exception& error) {
    last_error() = error.what();
  } catch (...) {
    last_error() = "an exception of unknown type";
  }
  return TCSIM_MODEL_STOPPED;
}

void require(bool condition, const char* text) {
  if (!condition) throw host_error(TCSIM_BAD_ARGUMENT, text);
}

void require_addressed(bool condition, const hosted_device& device, const char* what, std::uint64_t address) {
  if (condition) return;
  throw host_error(TCSIM_NOT_ADDRESSED, std::string(device.name()) + ": " + what + " " + std::to_string(address));
}

/// A callback that moves bytes would be called again and again by what it asks for.
host_memory& memory_of(hosted_device& device) {
  if (device.memory().is_asking())
    throw host_error(TCSIM_IN_CALLBACK,
                     std::string(device.name()) + ": read_memory and write_memory are the memory, and cannot ask for it");
  return device.memory();
}

/// The options of a program, which may be of an earlier or later version.
tcsim_options known_options(const tcsim_options* given) {
  tcsim_options options{};
  if (given != nullptr) {
    require(given->size >= sizeof(std::size_t), "options.size must be sizeof(tcsim_options)");
    std::memcpy(&options, given, std::min(given->size, sizeof options));
    require(options.override_count == 0 || options.overrides != nullptr, "options.overrides is null");
  }
  return options;
}

/// Changes one callback of a device.
template <class Change>
tcsim_status change_callbacks(tcsim_device* handle, Change change) noexcept {
  return guarded([&] {
    hosted_device& device = host_session::instance().device(handle);
    hosted_device::callbacks callbacks = device.all_callbacks();
    change(callbacks);
    device.set_callbacks(std::move(callbacks));
  });
}

boost::json::object statistics_of(const hosted_device& device) {
  const std::string prefix = std::string(device.name()) + '.';
  boost::json::object own;
  for (const auto& [path, statistics] : observe::collected_statistics())
    if (std::string_view(path.data(), path.size()).substr(0, prefix.size()) == prefix) own[path] = statistics;
  return own;
}

}  // namespace

extern "C" {

const char* tcsim_version() { return TC_VERSION_STRING; }

const char* tcsim_last_error() { return last_error().c_str(); }

tcsim_status tcsim_create(const char* name, const char* configuration, const tcsim_options* options, tcsim_device** device) {
  return guarded([&] {
    require(name != nullptr && configuration != nullptr && device != nullptr,
            "a name, a configuration and a place for the device are needed");
    const tcsim_options known = known_options(options);
    std::vector<std::string> overrides;
    for (std::size_t i = 0; i < known.override_count; ++i) {
      require(known.overrides[i] != nullptr, "an override is null");
      overrides.emplace_back(known.overrides[i]);
    }
    hosted_device& made = host_session::instance().create(name, configuration, overrides, known);
    made.set_callbacks({{}, {}, [] { host_session::instance().on_idle(); }});
    *device = static_cast<tcsim_device*>(static_cast<void*>(&made));
  });
}

tcsim_status tcsim_read_register(tcsim_device* device, uint32_t offset, uint32_t* value) {
  return guarded([&] {
    hosted_device& known = host_session::instance().device(device);
    require(value != nullptr, "a place for the value is needed");
    host_session::instance().begin();
    require_addressed(known.read_register(offset, *value), known, "no register to read at offset", offset);
  });
}

tcsim_status tcsim_write_register(tcsim_device* device, uint32_t offset, uint32_t value) {
  return guarded([&] {
    hosted_device& known = host_session::instance().device(device);
    host_session::instance().begin();
    require_addressed(known.write_register(offset, value), known, "no register to write at offset", offset);
  });
}

tcsim_status tcsim_peek(tcsim_device* device, uint64_t address, void* data, size_t bytes) {
  return guarded([&] {
    hosted_device& known = host_session::instance().device(device);
    require(data != nullptr || bytes == 0, "a place for the bytes is needed");
    require_addressed(memory_of(known).read(address, static_cast<std::uint8_t*>(data), bytes), known,
                      "not all of these bytes are there from", address);
  });
}

tcsim_status tcsim_poke(tcsim_device* device, uint64_t address, const void* data, size_t bytes) {
  return guarded([&] {
    hosted_device& known = host_session::instance().device(device);
    require(data != nullptr || bytes == 0, "bytes are needed");
    require_addressed(memory_of(known).write(address, static_cast<const std::uint8_t*>(data), bytes), known,
                      "not all of these bytes are there from", address);
  });
}

tcsim_status tcsim_on_interrupt(tcsim_device* device, void (*changed)(void* user, int level), void* user) {
  return change_callbacks(device, [=](hosted_device::callbacks& callbacks) {
    callbacks.interrupt = {};
    if (changed != nullptr) callbacks.interrupt = [=](bool level) { changed(user, level ? 1 : 0); };
  });
}

tcsim_status tcsim_on_done(tcsim_device* device, void (*done)(void* user, const tcsim_completion* completion), void* user) {
  return change_callbacks(device, [=](hosted_device::callbacks& callbacks) {
    callbacks.done = {};
    if (done == nullptr) return;
    callbacks.done = [=](const platform::command_result& result) {
      const auto& record = result.record;
      const tcsim_completion completion{record.identifier, static_cast<std::uint32_t>(record.status),
                                        record.cycles,     record.instructions,
                                        record.mismatches, result.text.c_str()};
      done(user, &completion);
    };
  });
}

tcsim_status tcsim_on_idle(tcsim_device* device, void (*idle)(void* user), void* user) {
  return change_callbacks(device, [=](hosted_device::callbacks& callbacks) {
    callbacks.idle = [=] {
      if (idle != nullptr) idle(user);
      host_session::instance().on_idle();
    };
  });
}

uint64_t tcsim_now() {
  std::uint64_t now = 0;
  guarded([&] { now = host_session::now(); });
  return now;
}

uint64_t tcsim_period(const tcsim_device* device) {
  std::uint64_t period = 0;
  guarded([&] {
    const auto& known = host_session::instance().device(const_cast<tcsim_device*>(device));
    period = known.period().value() / sc_core::sc_time(1, sc_core::SC_PS).value();
  });
  return period;
}

int tcsim_is_idle(const tcsim_device* device) {
  bool is_idle = false;
  guarded([&] { is_idle = host_session::instance().device(const_cast<tcsim_device*>(device)).idle(); });
  return is_idle ? 1 : 0;
}

tcsim_status tcsim_advance(uint64_t until_ps) {
  return guarded([&] { host_session::instance().advance(until_ps); });
}

tcsim_status tcsim_advance_until_idle(uint64_t until_ps) {
  return guarded([&] { host_session::instance().advance_until_idle(until_ps); });
}

const char* tcsim_statistics(tcsim_device* device) {
  const char* text = nullptr;
  guarded([&] {
    host_session& session = host_session::instance();
    text = session.keep_statistics(boost::json::serialize(statistics_of(session.device(device))));
  });
  return text;
}

}  // extern "C"

}  // namespace tc::host
