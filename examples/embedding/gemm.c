// SPDX-License-Identifier: Apache-2.0
/* A simulator in C with an event loop and a memory of its own, in which a GPU of tcsim is one of the parts. It has no sc_main and knows
   nothing of SystemC. Usage: embedding_gemm [CONFIGURATION] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tc/host/tcsim.h>
#include <tc/platform/tcsim_device.h>

enum { size = 64, ring = 0x0, record = 0x1000, matrix_a = 0x10000, matrix_b = 0x20000, matrix_d = 0x30000, memory_bytes = 0x40000 };

static uint8_t memory[memory_bytes];
static unsigned interrupts, events;

static void check(tcsim_status status) {
  if (status == TCSIM_OK) return;
  fprintf(stderr, "status %d: %s\n", (int)status, tcsim_last_error());
  exit(2);
}

/* The memory of this simulator, as the device sees it. */
static int read_memory(void* user, uint64_t address, void* data, size_t bytes) {
  (void)user;
  if (address > memory_bytes || bytes > memory_bytes - address) return 1;
  memcpy(data, memory + address, bytes);
  return 0;
}

static int write_memory(void* user, uint64_t address, const void* data, size_t bytes) {
  (void)user;
  if (address > memory_bytes || bytes > memory_bytes - address) return 1;
  memcpy(memory + address, data, bytes);
  return 0;
}

static void on_interrupt(void* user, int level) {
  tcsim_device* device = user;
  if (!level) return;
  ++interrupts;
  check(tcsim_write_register(device, TCSIM_REG_INTERRUPT_CAUSE, TCSIM_INTERRUPT_CAUSE_COMMAND_DONE));
}

static int element(unsigned i, unsigned seed) { return (int)((i * 7 + i / 13 + seed) % 7) - 3; }

/* A small integer as f16. */
static uint16_t half_of(int value) {
  static const uint16_t magnitudes[] = {0x0000, 0x3c00, 0x4000, 0x4200};
  return (uint16_t)(value < 0 ? 0x8000u | magnitudes[-value] : magnitudes[value]);
}

static void write_matrices(void) {
  for (unsigned i = 0; i < size * size; ++i) {
    const uint16_t a = half_of(element(i, 1)), b = half_of(element(i, 5));
    memcpy(memory + matrix_a + 2 * i, &a, 2);
    memcpy(memory + matrix_b + 2 * i, &b, 2);
  }
}

/* Elements of D that are not the sum of products; B lies column after column. */
static unsigned count_wrong(void) {
  unsigned wrong = 0;
  for (unsigned row = 0; row < size; ++row)
    for (unsigned column = 0; column < size; ++column) {
      int sum = 0;
      float d;
      for (unsigned k = 0; k < size; ++k) sum += element(row * size + k, 1) * element(column * size + k, 5);
      memcpy(&d, memory + matrix_d + 4 * (row * size + column), 4);
      wrong += d != (float)sum;
    }
  return wrong;
}

static void ring_doorbell(tcsim_device* device) {
  struct tcsim_gemm gemm;
  memset(&gemm, 0, sizeof gemm);
  gemm.opcode = TCSIM_OPCODE_GEMM;
  gemm.identifier = 1;
  gemm.flags = TCSIM_FLAG_INTERRUPT_WHEN_DONE;
  gemm.completion = record;
  gemm.m = gemm.n = gemm.k = size;
  gemm.precision = TCSIM_PRECISION_MIXED;
  gemm.a = matrix_a;
  gemm.b = matrix_b;
  gemm.d = matrix_d;
  memcpy(memory + ring, &gemm, sizeof gemm);
  check(tcsim_write_register(device, TCSIM_REG_RING_BASE_LOW, ring));
  check(tcsim_write_register(device, TCSIM_REG_RING_ENTRIES, 4));
  check(tcsim_write_register(device, TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_COMMAND_DONE));
  check(tcsim_write_register(device, TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE));
  check(tcsim_write_register(device, TCSIM_REG_TAIL, 1));
}

int main(int argc, char** argv) {
  const uint64_t microsecond = 1000000, timer = 250000; /* picoseconds */
  const char* overrides[] = {"sms=4"};
  struct tcsim_completion_record result;
  tcsim_device* device = NULL;
  tcsim_options options;
  unsigned wrong;
  int is_right;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.overrides = overrides;
  options.override_count = 1;
  options.memory_latency_ps = 200000;
  options.read_memory = read_memory;
  options.write_memory = write_memory;

  check(tcsim_create("gpu", argc > 1 ? argv[1] : "turing", &options, &device));
  check(tcsim_on_interrupt(device, on_interrupt, device));
  write_matrices();
  ring_doorbell(device);

  /* The event loop: a timer is all else that happens here. The device follows it from event to event. */
  for (uint64_t now = 0; interrupts == 0 && now < 1000 * microsecond; now += timer) {
    ++events;
    check(tcsim_advance(now + timer));
  }

  memcpy(&result, memory + record, sizeof result);
  wrong = count_wrong();
  is_right = result.status == TCSIM_RESULT_DONE && wrong == 0;
  printf("tcsim %s: %u x %u x %u, %s, %llu cycles, %llu instructions, %u interrupt, %u timer events\n", tcsim_version(), (unsigned)size,
         (unsigned)size, (unsigned)size, is_right ? "exact" : "WRONG", (unsigned long long)result.cycles,
         (unsigned long long)result.instructions, interrupts, events);
  if (!is_right) fprintf(stderr, "status %u, %u elements of %u wrong\n", (unsigned)result.status, wrong, (unsigned)(size * size));
  return is_right ? 0 : 1;
}
