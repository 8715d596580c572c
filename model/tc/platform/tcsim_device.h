// SPDX-License-Identifier: Apache-2.0
/* Registers and commands of tcsim's tensor_core_device, for software in C99 or C++. Made from device_registers.hpp and
   command_layout.hpp: run the tests of the room platform with TCSIM_WRITE_GOLDEN=1 after a change there. All is little endian. */
#ifndef TCSIM_DEVICE_H
#define TCSIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#define TCSIM_STATIC_ASSERT(condition, name) typedef char tcsim_assert_##name[(condition) ? 1 : -1]

/* Registers: offsets in bytes. */
#define TCSIM_REG_IDENTIFICATION 0x00u /* ro: tells that this is the device */
#define TCSIM_REG_VERSION 0x04u /* ro: of the register map and the descriptors */
#define TCSIM_REG_ARCHITECTURE 0x08u /* ro: compute capability times ten of the machine: 90 is sm_90 */
#define TCSIM_REG_CAPABILITIES 0x0cu /* ro: commands that the machine has */
#define TCSIM_REG_CONTROL 0x10u /* rw: switches commands on, and resets */
#define TCSIM_REG_STATUS 0x14u /* ro: what the device does now */
#define TCSIM_REG_INTERRUPT_ENABLE 0x18u /* rw: causes that drive the interrupt, by the bits of interrupt_cause */
#define TCSIM_REG_INTERRUPT_CAUSE 0x1cu /* w1c: what has happened; the interrupt is high while a cause that is enabled is set */
#define TCSIM_REG_CYCLES_LOW 0x20u /* ro: cycles of the machine's clock since the latest reset; reading latches cycles_high */
#define TCSIM_REG_CYCLES_HIGH 0x24u /* ro: upper half, as of the latest read of cycles_low */
#define TCSIM_REG_RING_BASE_LOW 0x28u /* rw: address of the command ring, a multiple of the size of a descriptor; writes while commands are queued do nothing */
#define TCSIM_REG_RING_BASE_HIGH 0x2cu /* rw: upper half, with the same rule */
#define TCSIM_REG_RING_ENTRIES 0x30u /* rw: descriptors that the ring has room for, 2 or more; one less can be queued; writing sets head and tail to 0, and does nothing while commands are queued */
#define TCSIM_REG_HEAD 0x34u /* ro: index of the oldest command that has not ended */
#define TCSIM_REG_TAIL 0x38u /* rw: the doorbell: index behind the newest command; equal to head, there is none. An index that is not in the ring, or that takes commands back, is a queue error and not kept */
#define TCSIM_REG_COMPLETED 0x3cu /* ro: commands that have ended since the latest reset, modulo 2^32 */
#define TCSIM_REG_LATEST_STATUS 0x40u /* ro: how the command that ended last has ended: a status code */
#define TCSIM_REG_LATEST_IDENTIFIER 0x44u /* ro: identifier of that command */
#define TCSIM_REG_TIME_LIMIT_LOW 0x48u /* rw: cycles after which a kernel is abandoned, of those that begin later; 0: never */
#define TCSIM_REG_TIME_LIMIT_HIGH 0x4cu /* rw: upper half */
#define TCSIM_REG_BYTES 0x50u /* that the registers take */

#define TCSIM_IDENTIFICATION 0x74637369u
#define TCSIM_VERSION 0x00010000u

/* Their fields: masks, and shifts of those that are wider than a bit. */
#define TCSIM_VERSION_PATCH 0x000000ffu /* rises with corrections */
#define TCSIM_VERSION_PATCH_SHIFT 0
#define TCSIM_VERSION_MINOR 0x0000ff00u /* rises when something is added */
#define TCSIM_VERSION_MINOR_SHIFT 8
#define TCSIM_VERSION_MAJOR 0xffff0000u /* rises when software must be changed */
#define TCSIM_VERSION_MAJOR_SHIFT 16
#define TCSIM_CAPABILITIES_RUN_TRACE 0x00000001u /* runs traces; always 1 */
#define TCSIM_CAPABILITIES_GEMM 0x00000002u /* matrix products; on tensor memory only f16 with f32 sums */
#define TCSIM_CAPABILITIES_WARPGROUP_GEMM 0x00000004u /* matrix products by wgmma */
#define TCSIM_CAPABILITIES_CONVOLUTION 0x00000008u /* convolutions, on tensor memory */
#define TCSIM_CONTROL_ENABLE 0x00000001u /* begins commands; cleared, what runs ends and nothing begins */
#define TCSIM_CONTROL_RESET 0x00000002u /* writing 1 resets the device; reads 0 */
#define TCSIM_STATUS_IDLE 0x00000001u /* nothing happens until a register is written */
#define TCSIM_STATUS_RUNNING 0x00000002u /* a kernel runs */
#define TCSIM_STATUS_RESETTING 0x00000004u /* the machine is being drained */
#define TCSIM_STATUS_FAULTED 0x00000008u /* the command that ended last did not end well */
#define TCSIM_STATUS_QUEUE_ERROR 0x00000010u /* the ring or the tail is not valid, or the ring cannot be read: no command begins until a reset */
#define TCSIM_INTERRUPT_CAUSE_COMMAND_DONE 0x00000001u /* a command with the flag interrupt_when_done has ended */
#define TCSIM_INTERRUPT_CAUSE_FAULT 0x00000002u /* a command did not end well, or there is a queue error */
#define TCSIM_INTERRUPT_CAUSE_QUEUE_EMPTY 0x00000004u /* the last command that was queued has ended */
#define TCSIM_INTERRUPT_CAUSE_RESET_DONE 0x00000008u /* the device can run commands again after a reset */

/* Opcodes. */
#define TCSIM_OPCODE_NO_OPERATION 1u /* ends at once */
#define TCSIM_OPCODE_RUN_TRACE 2u /* runs the kernel of a trace */
#define TCSIM_OPCODE_GEMM 3u /* D = A x B */
#define TCSIM_OPCODE_CONVOLUTION 4u /* f16 images with f16 filters, f32 sums */

/* Flags. */
#define TCSIM_FLAG_INTERRUPT_WHEN_DONE 1u /* sets the cause command_done when the command has ended */
#define TCSIM_FLAG_WRITE_IMAGES 2u /* of run_trace: the trace's memory images are written before the kernel begins, in no time; without it, memory keeps what it has */

/* Status of a command that has ended. */
#define TCSIM_RESULT_DONE 1u /* the command did what it says */
#define TCSIM_RESULT_BAD_OPCODE 2u /* there is no such command */
#define TCSIM_RESULT_BAD_DESCRIPTOR 3u /* a field has a value that it cannot have: alignment, overlap, an unknown code, something in reserved bytes */
#define TCSIM_RESULT_UNSUPPORTED 4u /* the machine, or its kernel for such sizes, cannot do it */
#define TCSIM_RESULT_UNREADABLE_MEMORY 5u /* the platform's memory answered a read of the trace with an error */
#define TCSIM_RESULT_TRACE_REFUSED 6u /* the trace has a mistake, or is for another machine */
#define TCSIM_RESULT_FAULT 7u /* the platform's memory answered the kernel, or the write of the completion record, with an error, or the kernel accessed what it may not */
#define TCSIM_RESULT_MISMATCH 8u /* memory is not what the trace expects after the kernel, or an address is not what its registers make */
#define TCSIM_RESULT_ABANDONED 9u /* the kernel was given up */
#define TCSIM_RESULT_TIMEOUT 10u /* the kernel was given up at the time limit */

/* Types of the elements of A and B, and of D. */
#define TCSIM_PRECISION_F16 1u /* f16, sums f16 */
#define TCSIM_PRECISION_MIXED 2u /* f16, sums f32 */
#define TCSIM_PRECISION_BF16 3u /* bf16, sums f32 */
#define TCSIM_PRECISION_TF32 4u /* tf32, sums f32 */
#define TCSIM_PRECISION_E4M3 5u /* e4m3, sums f32 */
#define TCSIM_PRECISION_E4M3_F16 6u /* e4m3, sums f16 */
#define TCSIM_PRECISION_E5M2 7u /* e5m2, sums f32 */
#define TCSIM_PRECISION_E5M2_F16 8u /* e5m2, sums f16 */
#define TCSIM_PRECISION_S8 9u /* signed bytes, sums s32 */
#define TCSIM_PRECISION_U8 10u /* unsigned bytes, sums s32 */
#define TCSIM_PRECISION_S4 11u /* s4, sums s32 */
#define TCSIM_PRECISION_U4 12u /* u4, sums s32 */
#define TCSIM_PRECISION_B1 13u /* bits, xor, sums s32 */
#define TCSIM_PRECISION_B1_AND 14u /* bits, and, sums s32 */

/* Instructions of a matrix product. */
#define TCSIM_INSTRUCTIONS_MMA 0u /* those of the register file; on tensor memory, tcgen05.mma */
#define TCSIM_INSTRUCTIONS_WGMMA 1u /* those of warpgroups */

/* Methods of a convolution. */
#define TCSIM_METHOD_IM2COL 0u /* copies the pixels of every tap */
#define TCSIM_METHOD_SHIFT 1u /* moves pixels from lane to lane along a row of the filter */

#define TCSIM_DESCRIPTOR_BYTES 128u
#define TCSIM_COMPLETION_BYTES 32u
#define TCSIM_MATRIX_ALIGNMENT 16u

/* the part that all commands have; all of no_operation */
struct tcsim_command {
  uint32_t opcode; /* what to do */
  uint32_t identifier; /* any number; the completion record gets it */
  uint32_t flags; /* a sum of flags */
  uint8_t reserved_12[4];
  uint64_t completion; /* address of the completion record, a multiple of 32; 0: none is written */
  uint8_t reserved_24[104];
};
TCSIM_STATIC_ASSERT(sizeof(struct tcsim_command) == 128, size_of_command);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_command, opcode) == 0, command_opcode);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_command, identifier) == 4, command_identifier);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_command, flags) == 8, command_flags);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_command, completion) == 16, command_completion);

/* runs the kernel of a trace */
struct tcsim_run_trace {
  uint32_t opcode; /* what to do */
  uint32_t identifier; /* any number; the completion record gets it */
  uint32_t flags; /* a sum of flags */
  uint8_t reserved_12[4];
  uint64_t completion; /* address of the completion record, a multiple of 32; 0: none is written */
  uint8_t reserved_24[8];
  uint64_t address; /* of the trace's file content: text, .xz, .gz or packed */
  uint64_t bytes; /* of the content */
  uint8_t reserved_48[80];
};
TCSIM_STATIC_ASSERT(sizeof(struct tcsim_run_trace) == 128, size_of_run_trace);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_run_trace, opcode) == 0, run_trace_opcode);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_run_trace, identifier) == 4, run_trace_identifier);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_run_trace, flags) == 8, run_trace_flags);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_run_trace, completion) == 16, run_trace_completion);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_run_trace, address) == 32, run_trace_address);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_run_trace, bytes) == 40, run_trace_bytes);

/* D = A x B */
struct tcsim_gemm {
  uint32_t opcode; /* what to do */
  uint32_t identifier; /* any number; the completion record gets it */
  uint32_t flags; /* a sum of flags */
  uint8_t reserved_12[4];
  uint64_t completion; /* address of the completion record, a multiple of 32; 0: none is written */
  uint8_t reserved_24[8];
  uint32_t m; /* rows of A and D */
  uint32_t n; /* columns of B and D */
  uint32_t k; /* columns of A, rows of B */
  uint32_t precision; /* types of the elements: a code */
  uint64_t a; /* address of A, row after row, packed */
  uint64_t b; /* address of B, column after column, packed */
  uint64_t d; /* address of D, row after row, packed */
  uint32_t instructions; /* which instructions multiply: a code */
  uint8_t reserved_76[52];
};
TCSIM_STATIC_ASSERT(sizeof(struct tcsim_gemm) == 128, size_of_gemm);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, opcode) == 0, gemm_opcode);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, identifier) == 4, gemm_identifier);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, flags) == 8, gemm_flags);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, completion) == 16, gemm_completion);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, m) == 32, gemm_m);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, n) == 36, gemm_n);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, k) == 40, gemm_k);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, precision) == 44, gemm_precision);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, a) == 48, gemm_a);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, b) == 56, gemm_b);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, d) == 64, gemm_d);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_gemm, instructions) == 72, gemm_instructions);

/* images with filters */
struct tcsim_convolution {
  uint32_t opcode; /* what to do */
  uint32_t identifier; /* any number; the completion record gets it */
  uint32_t flags; /* a sum of flags */
  uint8_t reserved_12[4];
  uint64_t completion; /* address of the completion record, a multiple of 32; 0: none is written */
  uint8_t reserved_24[8];
  uint32_t batch; /* images, N */
  uint32_t height; /* of an image, H */
  uint32_t width; /* of an image, W */
  uint32_t channels; /* C; in memory, padded with zeros to a multiple of 16 */
  uint32_t filters; /* number of filters, K */
  uint32_t filter_height; /* R */
  uint32_t filter_width; /* S */
  uint32_t padding_height; /* pixels above and below */
  uint32_t padding_width; /* pixels left and right */
  uint32_t stride_height; /* pixels from output to output */
  uint32_t stride_width; /* pixels from output to output */
  uint32_t dilation_height; /* pixels from tap to tap */
  uint32_t dilation_width; /* pixels from tap to tap */
  uint32_t method; /* how pixels come to tensor memory: a code */
  uint64_t input; /* address of the images, NHWC, f16 */
  uint64_t filter; /* address of the filters, KRSC, f16 */
  uint64_t output; /* address of the output, NPQK, f32 */
  uint8_t reserved_112[16];
};
TCSIM_STATIC_ASSERT(sizeof(struct tcsim_convolution) == 128, size_of_convolution);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, opcode) == 0, convolution_opcode);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, identifier) == 4, convolution_identifier);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, flags) == 8, convolution_flags);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, completion) == 16, convolution_completion);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, batch) == 32, convolution_batch);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, height) == 36, convolution_height);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, width) == 40, convolution_width);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, channels) == 44, convolution_channels);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, filters) == 48, convolution_filters);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, filter_height) == 52, convolution_filter_height);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, filter_width) == 56, convolution_filter_width);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, padding_height) == 60, convolution_padding_height);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, padding_width) == 64, convolution_padding_width);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, stride_height) == 68, convolution_stride_height);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, stride_width) == 72, convolution_stride_width);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, dilation_height) == 76, convolution_dilation_height);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, dilation_width) == 80, convolution_dilation_width);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, method) == 84, convolution_method);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, input) == 88, convolution_input);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, filter) == 96, convolution_filter);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_convolution, output) == 104, convolution_output);

/* written by the device when a command has ended */
struct tcsim_completion_record {
  uint32_t identifier; /* of the command */
  uint32_t status; /* how it ended: a code, never 0 */
  uint64_t cycles; /* of the kernel; 0 if none ran */
  uint64_t instructions; /* warp instructions that the kernel issued */
  uint64_t mismatches; /* bytes that are not what a trace expects */
};
TCSIM_STATIC_ASSERT(sizeof(struct tcsim_completion_record) == 32, size_of_completion_record);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_completion_record, identifier) == 0, completion_record_identifier);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_completion_record, status) == 4, completion_record_status);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_completion_record, cycles) == 8, completion_record_cycles);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_completion_record, instructions) == 16, completion_record_instructions);
TCSIM_STATIC_ASSERT(offsetof(struct tcsim_completion_record, mismatches) == 24, completion_record_mismatches);

#endif
