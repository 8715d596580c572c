// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tc::platform {

/// What software can do with a register.
enum class register_access : std::uint8_t {
  read_only,       ///< writes are answered with TLM_COMMAND_ERROR_RESPONSE
  read_write,      ///< reads give what was written last
  write_1_clears,  ///< writing clears the bits that are one in the value
};

/// A register of tensor_core_device: 32 bits, little endian.
struct device_register {
  std::string_view name;     ///< of 64-bit quantities, "_low" and "_high"
  std::uint32_t offset = 0;  ///< bytes from the first register
  register_access access = register_access::read_only;
  std::uint32_t reset = 0;   ///< value after construction and after a reset
  std::string_view meaning;  ///< for the documentation and the header of the software
};

/// Bits of a register that mean something together.
struct register_field {
  const device_register* of = nullptr;
  std::string_view name;
  unsigned first = 0, bits = 1;
  std::string_view meaning;

  constexpr std::uint32_t mask() const { return (bits == 32 ? ~0u : (1u << bits) - 1) << first; }
};

/// The register map. Everything else about it is made from these lines: the C header of the software and the tables of the documentation.
namespace registers {

inline constexpr std::uint32_t identification_value = 0x74637369;  ///< "tcsi"
inline constexpr std::uint32_t version_value = 0x00010000;         ///< of the register map and the descriptors: 1.0.0

inline constexpr auto read_only = register_access::read_only;
inline constexpr auto read_write = register_access::read_write;

inline constexpr device_register identification{"identification", 0x00, read_only, identification_value, "tells that this is the device"};
inline constexpr device_register version{"version", 0x04, read_only, version_value, "of the register map and the descriptors"};
inline constexpr device_register architecture{"architecture", 0x08, read_only, 0,
                                              "compute capability times ten of the machine: 90 is sm_90"};
inline constexpr device_register capabilities{"capabilities", 0x0c, read_only, 0, "commands that the machine has"};
inline constexpr device_register control{"control", 0x10, read_write, 0, "switches commands on, and resets"};
inline constexpr device_register status{"status", 0x14, read_only, 1, "what the device does now"};
inline constexpr device_register interrupt_enable{"interrupt_enable", 0x18, read_write, 0,
                                                  "causes that drive the interrupt, by the bits of interrupt_cause"};
inline constexpr device_register interrupt_cause{"interrupt_cause", 0x1c, register_access::write_1_clears, 0,
                                                 "what has happened; the interrupt is high while a cause that is enabled is set"};
inline constexpr device_register cycles_low{"cycles_low", 0x20, read_only, 0,
                                            "cycles of the machine's clock since the latest reset; reading latches cycles_high"};
inline constexpr device_register cycles_high{"cycles_high", 0x24, read_only, 0, "upper half, as of the latest read of cycles_low"};
inline constexpr device_register ring_base_low{"ring_base_low", 0x28, read_write, 0,
                                               "address of the command ring, a multiple of the size of a descriptor; writes while commands "
                                               "are queued do nothing"};
inline constexpr device_register ring_base_high{"ring_base_high", 0x2c, read_write, 0, "upper half, with the same rule"};
inline constexpr device_register ring_entries{
    "ring_entries", 0x30, read_write, 0,
    "descriptors that the ring has room for, 2 or more; one less can be queued; writing sets head and "
    "tail to 0, and does nothing while commands are queued"};
inline constexpr device_register head{"head", 0x34, read_only, 0, "index of the oldest command that has not ended"};
inline constexpr device_register tail{"tail", 0x38, read_write, 0,
                                      "the doorbell: index behind the newest command; equal to head, there is none. An index that is "
                                      "not in the ring, or that takes commands back, is a queue error and not kept"};
inline constexpr device_register completed{"completed", 0x3c, read_only, 0, "commands that have ended since the latest reset, modulo 2^32"};
inline constexpr device_register latest_status{"latest_status", 0x40, read_only, 0,
                                               "how the command that ended last has ended: a status code"};
inline constexpr device_register latest_identifier{"latest_identifier", 0x44, read_only, 0, "identifier of that command"};
inline constexpr device_register time_limit_low{"time_limit_low", 0x48, read_write, 0,
                                                "cycles after which a kernel is abandoned, of those that begin later; 0: never"};
inline constexpr device_register time_limit_high{"time_limit_high", 0x4c, read_write, 0, "upper half"};

/// All of them, by offset.
inline constexpr std::array all{&identification, &version,          &architecture,      &capabilities,   &control,
                                &status,         &interrupt_enable, &interrupt_cause,   &cycles_low,     &cycles_high,
                                &ring_base_low,  &ring_base_high,   &ring_entries,      &head,           &tail,
                                &completed,      &latest_status,    &latest_identifier, &time_limit_low, &time_limit_high};

inline constexpr std::uint32_t bytes = 0x50;  ///< that the map takes

}  // namespace registers

/// The fields of registers that are more than one number.
namespace fields {

inline constexpr register_field patch_version{&registers::version, "patch", 0, 8, "rises with corrections"};
inline constexpr register_field minor_version{&registers::version, "minor", 8, 8, "rises when something is added"};
inline constexpr register_field major_version{&registers::version, "major", 16, 16, "rises when software must be changed"};

inline constexpr register_field run_trace{&registers::capabilities, "run_trace", 0, 1, "runs traces; always 1"};
inline constexpr register_field gemm{&registers::capabilities, "gemm", 1, 1, "matrix products; on tensor memory only f16 with f32 sums"};
inline constexpr register_field warpgroup_gemm{&registers::capabilities, "warpgroup_gemm", 2, 1, "matrix products by wgmma"};
inline constexpr register_field convolution{&registers::capabilities, "convolution", 3, 1, "convolutions, on tensor memory"};

inline constexpr register_field enable{&registers::control, "enable", 0, 1, "begins commands; cleared, what runs ends and nothing begins"};
inline constexpr register_field reset{&registers::control, "reset", 1, 1, "writing 1 resets the device; reads 0"};

inline constexpr register_field idle{&registers::status, "idle", 0, 1, "nothing happens until a register is written"};
inline constexpr register_field running{&registers::status, "running", 1, 1, "a kernel runs"};
inline constexpr register_field resetting{&registers::status, "resetting", 2, 1, "the machine is being drained"};
inline constexpr register_field faulted{&registers::status, "faulted", 3, 1, "the command that ended last did not end well"};
inline constexpr register_field queue_error{
    &registers::status, "queue_error", 4, 1,
    "the ring or the tail is not valid, or the ring cannot be read: no command begins until a reset"};

inline constexpr register_field command_done{&registers::interrupt_cause, "command_done", 0, 1,
                                             "a command with the flag interrupt_when_done has ended"};
inline constexpr register_field fault{&registers::interrupt_cause, "fault", 1, 1, "a command did not end well, or there is a queue error"};
inline constexpr register_field queue_empty{&registers::interrupt_cause, "queue_empty", 2, 1, "the last command that was queued has ended"};
inline constexpr register_field reset_done{&registers::interrupt_cause, "reset_done", 3, 1,
                                           "the device can run commands again after a reset"};

/// All of them, by register and bit.
inline constexpr std::array all{&patch_version, &minor_version, &major_version, &run_trace, &gemm,        &warpgroup_gemm,
                                &convolution,   &enable,        &reset,         &idle,      &running,     &resetting,
                                &faulted,       &queue_error,   &command_done,  &fault,     &queue_empty, &reset_done};

}  // namespace fields

}  // namespace tc::platform
