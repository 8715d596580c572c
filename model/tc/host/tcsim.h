// SPDX-License-Identifier: Apache-2.0
/* tcsim for programs in C99, and for all that calls C functions: simulators of other make, Python. GPUs as devices that the program
   drives, with its own event loop, its own memory if it likes, and no knowledge of SystemC. docs/embedding.md has a page about it,
   docs/platform.md the registers and commands of the device, tcsim_device.h the same for the compiler.

   SystemC builds all modules before time begins: devices are created first. The first call that needs them to be whole (a register, time)
   ends that, and tcsim_create() then fails. Devices last as long as the process does. All calls come from one thread.

   Functions return TCSIM_OK or what went wrong; tcsim_last_error() has it in words. No exception leaves them, and nothing ends the
   process. */
#ifndef TCSIM_H
#define TCSIM_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): this is C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers) */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tcsim_device tcsim_device;

typedef enum tcsim_status {
  TCSIM_OK = 0,
  TCSIM_BAD_ARGUMENT = 1,      /* a null pointer, a name that is taken, a time that has passed */
  TCSIM_BAD_CONFIGURATION = 2, /* no such configuration, or a mistake in it or in an override */
  TCSIM_TOO_LATE = 3,          /* a device was to be created after time had begun */
  TCSIM_NOT_ADDRESSED = 4,     /* there is no such register, it is not to be written, or memory does not have all these bytes */
  TCSIM_IN_CALLBACK = 5,       /* time cannot be advanced while it is being advanced, nor memory peeked or poked by its own callbacks */
  TCSIM_MODEL_STOPPED = 6      /* the model contradicted itself, or an error ended simulation: nothing more can be simulated */
} tcsim_status;

/* The version of the library, such as "0.1.0". */
const char* tcsim_version(void);
/* Why the latest call that failed did so. Never null; lasts until another call fails. */
const char* tcsim_last_error(void);

/* Moves bytes between a memory of the program's and the device; 0: done, anything else: the memory does not have all these bytes. Called
   when the access takes effect, and for tcsim_peek() and tcsim_poke(). */
typedef int (*tcsim_read_memory)(void* user, uint64_t address, void* data, size_t bytes);
typedef int (*tcsim_write_memory)(void* user, uint64_t address, const void* data, size_t bytes);

/* How a device is made. All zero but for size is fine. */
typedef struct tcsim_options {
  size_t size;                  /* sizeof(tcsim_options): fields that later versions append are zero to the library */
  const char* const* overrides; /* "path=value", as after --set of the command */
  size_t override_count;
  uint64_t memory_bytes;         /* of the memory that the device brings along, from address 0 on; 0: 4 GiB. Takes only what is touched */
  uint64_t memory_latency_ps;    /* of each access */
  tcsim_read_memory read_memory; /* with write_memory: a memory of the program's in the place of the device's own; else both null */
  tcsim_write_memory write_memory;
  void* memory_user;   /* their first argument */
  uint32_t outstanding; /* most accesses of the device to its memory that are not answered yet; 0: as many as its SMs can have. A limit that
                           makes the machine wait is told once, by a warning, and counted in the statistics of the device's memory */
} tcsim_options;

/* A device. `name` is an identifier of C, and of no other device; `configuration` a file or the name of a built-in machine; `options` may
   be null: the defaults. */
tcsim_status tcsim_create(const char* name, const char* configuration, const tcsim_options* options, tcsim_device** device);

/* Registers, 32 bits at a time, by their offsets in tcsim_device.h. May be called from callbacks. */
tcsim_status tcsim_read_register(tcsim_device* device, uint32_t offset, uint32_t* value);
tcsim_status tcsim_write_register(tcsim_device* device, uint32_t offset, uint32_t value);

/* The memory that the device sees, in no time. */
tcsim_status tcsim_peek(tcsim_device* device, uint64_t address, void* data, size_t bytes);
tcsim_status tcsim_poke(tcsim_device* device, uint64_t address, const void* data, size_t bytes);

/* A command that has ended. */
typedef struct tcsim_completion {
  uint32_t identifier; /* of its descriptor */
  uint32_t status;     /* TCSIM_RESULT_... of tcsim_device.h */
  uint64_t cycles;     /* of its kernel, by the machine's clock */
  uint64_t instructions;
  uint64_t mismatches; /* bytes that are not what a trace expects */
  const char* text;    /* why it did not end well; empty: it did. Lasts as long as the call */
} tcsim_completion;

/* Callbacks come while time is advanced, at their moment; null: none. */
tcsim_status tcsim_on_interrupt(tcsim_device* device, void (*changed)(void* user, int level), void* user);
tcsim_status tcsim_on_done(tcsim_device* device, void (*done)(void* user, const tcsim_completion* completion), void* user);
tcsim_status tcsim_on_idle(tcsim_device* device, void (*idle)(void* user), void* user);

/* Picoseconds since time began, which all devices share. A program with a SystemC of its own must leave its time resolution at 1 ps or
   finer. */
uint64_t tcsim_now(void);
/* The period of the device's clock in picoseconds: 1 / clock_mhz, rounded. 0 if `device` is null. */
uint64_t tcsim_period(const tcsim_device* device);
/* 1: nothing happens in the device until a register is written. 0 otherwise, and if `device` is null. */
int tcsim_is_idle(const tcsim_device* device);

/* Simulates until a time, at most 2^63 - 1 ps, 106 days. What is due exactly then may be left to the next call. */
tcsim_status tcsim_advance(uint64_t until_ps);
/* Simulates until all devices are idle, or until a time, whichever comes first; tcsim_now() tells when that was. */
tcsim_status tcsim_advance_until_idle(uint64_t until_ps);

/* The statistics of a device as JSON, {"<unit>": {"<statistic>": number}}. Null if it fails. Lasts until the next call of it. */
const char* tcsim_statistics(tcsim_device* device);

#ifdef __cplusplus
}
#endif

#endif
