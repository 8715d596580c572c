// SPDX-License-Identifier: Apache-2.0
// The software of the platform, in the C part of C++: it knows the register map and nothing of SystemC.

#include <stdio.h>
#include <string.h>

#include <tc/platform/tcsim_device.h>

#include "hardware.h"

enum { ring = memory_base, entries = 8, record = memory_base + 0x1000, matrices = memory_base + 0x10000, most = 128 };

static uint16_t a[most * most], b[most * most];
static uint32_t tail, commands;

/* A small integer as f16. */
static uint16_t half_of(int value) {
  static const uint16_t magnitudes[] = {0x0000, 0x3c00, 0x4000, 0x4200};
  return (uint16_t)(value < 0 ? 0x8000 | magnitudes[-value] : magnitudes[value]);
}
static int element(uint32_t i, int seed) { return (int)((i * 7 + i / 13 + (uint32_t)seed) % 7) - 3; }

static void start(void) {
  tail = 0;
  write_register(TCSIM_REG_RING_BASE_LOW, ring);
  write_register(TCSIM_REG_RING_BASE_HIGH, 0);
  write_register(TCSIM_REG_RING_ENTRIES, entries);
  write_register(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_COMMAND_DONE);
  write_register(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE);
}

/* Writes a product of n x n matrices into the ring, and rings. */
static void submit(uint32_t n, uint64_t d) {
  struct tcsim_gemm gemm;
  memset(&gemm, 0, sizeof gemm);
  gemm.opcode = TCSIM_OPCODE_GEMM;
  gemm.identifier = ++commands;
  gemm.flags = TCSIM_FLAG_INTERRUPT_WHEN_DONE;
  gemm.completion = record;
  gemm.m = gemm.n = gemm.k = n;
  gemm.precision = TCSIM_PRECISION_MIXED;
  gemm.a = matrices;
  gemm.b = matrices + 2 * n * n;
  gemm.d = d;
  write_memory(ring + tail * TCSIM_DESCRIPTOR_BYTES, &gemm, sizeof gemm);
  tail = (tail + 1) % entries;
  write_register(TCSIM_REG_TAIL, tail);
}

static struct tcsim_completion_record finish(void) {
  struct tcsim_completion_record result;
  wait_for_interrupt();
  write_register(TCSIM_REG_INTERRUPT_CAUSE, ~0u);
  read_memory(record, &result, sizeof result);
  return result;
}

static void write_matrices(uint32_t n) {
  for (uint32_t i = 0; i < n * n; ++i) {
    a[i] = half_of(element(i, 1));
    b[i] = half_of(element(i, 5));
  }
  write_memory(matrices, a, 2 * n * n);
  write_memory(matrices + 2 * n * n, b, 2 * n * n);
}

static uint64_t d_of(uint32_t n) { return matrices + 4 * n * n; }

/* Elements of D that are not what the CPU computes; sums of small integers are exact. */
static uint32_t wrong_elements(uint32_t n) {
  static float d[most * most];
  uint32_t wrong = 0;
  read_memory(d_of(n), d, sizeof(float) * n * n);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      int sum = 0;
      for (uint32_t k = 0; k < n; ++k) sum += element(i * n + k, 1) * element(j * n + k, 5);
      const float expected = (float)sum;
      wrong += memcmp(&d[i * n + j], &expected, sizeof expected) != 0;
    }
  return wrong;
}

/* A product from beginning to end; its cycles, or 0 if anything is wrong. */
static uint64_t multiply(uint32_t n, const char* what) {
  write_matrices(n);
  submit(n, d_of(n));
  const struct tcsim_completion_record result = finish();
  const int good = result.identifier == commands && result.status == TCSIM_RESULT_DONE && wrong_elements(n) == 0;
  report(what, good ? "exact" : "WRONG", result.cycles);
  return good ? result.cycles : 0;
}

/* D where there is no memory: a fault, and the next command runs. */
static int make_a_mistake(void) {
  submit(64, 0x40000000);
  const struct tcsim_completion_record result = finish();
  const int good = result.status == TCSIM_RESULT_FAULT && (read_register(TCSIM_REG_STATUS) & TCSIM_STATUS_FAULTED) != 0;
  report("64x64x64 to a bad address", good ? "fault" : "WRONG", result.cycles);
  return good && multiply(64, "64x64x64 after it") != 0;
}

/* In the midst of a product; afterwards the device is as new. */
static int reset_in_mid_run(uint64_t cycles_of_a_new_device) {
  write_matrices(128);
  submit(128, d_of(128));
  while ((read_register(TCSIM_REG_STATUS) & TCSIM_STATUS_RUNNING) == 0) compute_for(100);
  compute_for(500);
  write_register(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
  write_register(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_RESET_DONE);
  wait_for_interrupt();
  report("128x128x128, reset in mid-run", "reset", 0);
  write_register(TCSIM_REG_INTERRUPT_CAUSE, ~0u);
  start();
  return multiply(64, "64x64x64 as on a new device") == cycles_of_a_new_device;
}

int run_software(void) {
  if (read_register(TCSIM_REG_IDENTIFICATION) != TCSIM_IDENTIFICATION) return 1;
  if (read_register(TCSIM_REG_VERSION) >> TCSIM_VERSION_MAJOR_SHIFT != TCSIM_VERSION >> TCSIM_VERSION_MAJOR_SHIFT) return 2;
  start();
  const uint64_t first = multiply(64, "64x64x64");
  if (first == 0 || multiply(96, "96x96x96") == 0 || multiply(128, "128x128x128") == 0) return 3;
  if (!make_a_mistake()) return 4;
  return reset_in_mid_run(first) ? 0 : 5;
}
