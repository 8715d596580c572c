// SPDX-License-Identifier: Apache-2.0
/* What the software sees of the platform; main.cpp gives it the functions of the CPU model. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdint.h>

enum { memory_base = 0x80000000, memory_bytes = 0x1000000, device_base = 0x10000000 };

#ifdef __cplusplus
extern "C" {
#endif

uint32_t read_register(uint32_t offset);
void write_register(uint32_t offset, uint32_t value);
void read_memory(uint64_t address, void* data, uint32_t bytes);
void write_memory(uint64_t address, const void* data, uint32_t bytes);
void wait_for_interrupt(void);
void compute_for(uint32_t nanoseconds);
/* A line of the table: what was done, how it ended, and the cycles of the kernel. */
void report(const char* what, const char* how, uint64_t cycles);

/* The program; 0: all is as it should be. */
int run_software(void);

#ifdef __cplusplus
}
#endif

#endif
