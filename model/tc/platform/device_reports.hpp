#pragma once

namespace tc::platform::report {

// Message types of tensor_core_device.
inline constexpr const char* device_clock = "/tc/device/clock";  ///< the period of the clock: as it is, and rounded; an error if too coarse
inline constexpr const char* device_parameters = "/tc/device/parameters";  ///< parameters of a device that never runs a command
inline constexpr const char* device_command = "/tc/device/command";        ///< a warning: a command did not end well, and why
inline constexpr const char* device_queue = "/tc/device/queue";            ///< a warning: the ring is not valid or cannot be read

}  // namespace tc::platform::report
