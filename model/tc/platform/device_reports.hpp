// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tc::platform::report {

// Message types of tensor_core_device.

/// The period of the device's clock was rounded to the time resolution (information), or cannot be without an error above 1 % (error).
/// Cure: Call `sc_core::sc_set_time_resolution(1, sc_core::SC_PS)`, or SC_FS, before anything else.
inline constexpr const char* device_clock = "/tc/device/clock";

/// With these parameters a device never reads or runs a command.
/// Cure: Set `commands_ahead` and `outstanding` to 1 or more.
inline constexpr const char* device_parameters = "/tc/device/parameters";

/// A command of the queue did not end well (warning); its status says so to the host too.
/// Cure: Correct what the message names: a descriptor that cannot be read, a trace that is refused, a fault of the kernel.
inline constexpr const char* device_command = "/tc/device/command";

/// The ring of commands is not valid or cannot be read (warning); no command begins until a reset.
/// Cure: Give the device a ring of 2 or more entries, at a multiple of a descriptor's size in memory that it can read, and a tail that only
/// goes forward; then reset it (docs/platform.md).
inline constexpr const char* device_queue = "/tc/device/queue";

}  // namespace tc::platform::report
