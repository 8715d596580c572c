// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tc::platform {

/// How a command ended, as completion records and the register latest_status tell it. 0 is none of them.
enum class command_status : std::uint32_t {
  done = 1,
  bad_opcode,
  bad_descriptor,
  unsupported,
  unreadable_memory,
  trace_refused,
  fault,
  mismatch,
  abandoned,
  timeout,
};

/// What a command does.
enum class command_opcode : std::uint32_t { no_operation = 1, run_trace, gemm, convolution };

/// Bits of a descriptor's flags.
enum class command_flag : std::uint32_t { interrupt_when_done = 1, write_images = 2 };

/// Which instructions multiply.
enum class gemm_instructions : std::uint32_t { mma, wgmma };

/// A code with its name and meaning, for the documentation and the header of the software.
struct named_code {
  std::uint32_t code = 0;
  std::string_view name, meaning;
};

inline constexpr auto code_of(command_status status) { return static_cast<std::uint32_t>(status); }
inline constexpr auto code_of(command_opcode opcode) { return static_cast<std::uint32_t>(opcode); }
inline constexpr auto code_of(command_flag flag) { return static_cast<std::uint32_t>(flag); }
inline constexpr auto code_of(gemm_instructions instructions) { return static_cast<std::uint32_t>(instructions); }

inline constexpr std::array status_codes{
    named_code{code_of(command_status::done), "done", "the command did what it says"},
    named_code{code_of(command_status::bad_opcode), "bad_opcode", "there is no such command"},
    named_code{code_of(command_status::bad_descriptor), "bad_descriptor",
               "a field has a value that it cannot have: alignment, overlap, an unknown code, something in reserved bytes"},
    named_code{code_of(command_status::unsupported), "unsupported", "the machine, or its kernel for such sizes, cannot do it"},
    named_code{code_of(command_status::unreadable_memory), "unreadable_memory",
               "the platform's memory answered a read of the trace with an error"},
    named_code{code_of(command_status::trace_refused), "trace_refused", "the trace has a mistake, or is for another machine"},
    named_code{code_of(command_status::fault), "fault",
               "the platform's memory answered the kernel, or the write of the completion record, with an error, or the kernel accessed "
               "what it may not"},
    named_code{code_of(command_status::mismatch), "mismatch",
               "memory is not what the trace expects after the kernel, or an address is not what its registers make"},
    named_code{code_of(command_status::abandoned), "abandoned", "the kernel was given up"},
    named_code{code_of(command_status::timeout), "timeout", "the kernel was given up at the time limit"},
};

inline constexpr std::array opcodes{
    named_code{code_of(command_opcode::no_operation), "no_operation", "ends at once"},
    named_code{code_of(command_opcode::run_trace), "run_trace", "runs the kernel of a trace"},
    named_code{code_of(command_opcode::gemm), "gemm", "D = A x B"},
    named_code{code_of(command_opcode::convolution), "convolution", "f16 images with f16 filters, f32 sums"},
};

inline constexpr std::array command_flags{
    named_code{code_of(command_flag::interrupt_when_done), "interrupt_when_done", "sets the cause command_done when the command has ended"},
    named_code{
        code_of(command_flag::write_images), "write_images",
        "of run_trace: the trace's memory images are written before the kernel begins, in no time; without it, memory keeps what it has"},
};

inline constexpr std::array gemm_instruction_codes{
    named_code{code_of(gemm_instructions::mma), "mma", "those of the register file; on tensor memory, tcgen05.mma"},
    named_code{code_of(gemm_instructions::wgmma), "wgmma", "those of warpgroups"},
};

/// Types of A and B, and of D, by the names of kernels::gemm_precision.
inline constexpr std::array gemm_precisions{
    named_code{1, "f16", "f16, sums f16"},         named_code{2, "mixed", "f16, sums f32"},
    named_code{3, "bf16", "bf16, sums f32"},       named_code{4, "tf32", "tf32, sums f32"},
    named_code{5, "e4m3", "e4m3, sums f32"},       named_code{6, "e4m3.f16", "e4m3, sums f16"},
    named_code{7, "e5m2", "e5m2, sums f32"},       named_code{8, "e5m2.f16", "e5m2, sums f16"},
    named_code{9, "s8", "signed bytes, sums s32"}, named_code{10, "u8", "unsigned bytes, sums s32"},
    named_code{11, "s4", "s4, sums s32"},          named_code{12, "u4", "u4, sums s32"},
    named_code{13, "b1", "bits, xor, sums s32"},   named_code{14, "b1.and", "bits, and, sums s32"},
};

inline constexpr std::array convolution_methods{
    named_code{0, "im2col", "copies the pixels of every tap"},
    named_code{1, "shift", "moves pixels from lane to lane along a row of the filter"},
};

/// A number in a descriptor or a completion record, little endian; its offset is a multiple of its size.
struct layout_field {
  std::string_view name;
  unsigned offset = 0, bytes = 4;
  std::string_view meaning;
};

/// Descriptors of commands, as they lie in the ring. Bytes that no field takes are zero.
namespace layout {

inline constexpr unsigned descriptor_bytes = 128;
inline constexpr unsigned completion_bytes = 32;
inline constexpr unsigned matrix_alignment = 16;  ///< of addresses of matrices and tensors

inline constexpr layout_field opcode{"opcode", 0, 4, "what to do"};
inline constexpr layout_field identifier{"identifier", 4, 4, "any number; the completion record gets it"};
inline constexpr layout_field flags{"flags", 8, 4, "a sum of flags"};
inline constexpr layout_field completion{"completion", 16, 8, "address of the completion record, a multiple of 32; 0: none is written"};
/// Of every command.
inline constexpr std::array command{&opcode, &identifier, &flags, &completion};

inline constexpr layout_field trace_address{"address", 32, 8, "of the trace's file content: text, .xz, .gz or packed"};
inline constexpr layout_field trace_bytes{"bytes", 40, 8, "of the content"};
inline constexpr std::array run_trace{&trace_address, &trace_bytes};

inline constexpr layout_field m{"m", 32, 4, "rows of A and D"};
inline constexpr layout_field n{"n", 36, 4, "columns of B and D"};
inline constexpr layout_field k{"k", 40, 4, "columns of A, rows of B"};
inline constexpr layout_field precision{"precision", 44, 4, "types of the elements: a code"};
inline constexpr layout_field a{"a", 48, 8, "address of A, row after row, packed"};
inline constexpr layout_field b{"b", 56, 8, "address of B, column after column, packed"};
inline constexpr layout_field d{"d", 64, 8, "address of D, row after row, packed"};
inline constexpr layout_field instructions{"instructions", 72, 4, "which instructions multiply: a code"};
inline constexpr std::array gemm{&m, &n, &k, &precision, &a, &b, &d, &instructions};

inline constexpr layout_field batch{"batch", 32, 4, "images, N"};
inline constexpr layout_field height{"height", 36, 4, "of an image, H"};
inline constexpr layout_field width{"width", 40, 4, "of an image, W"};
inline constexpr layout_field channels{"channels", 44, 4, "C; in memory, padded with zeros to a multiple of 16"};
inline constexpr layout_field filters{"filters", 48, 4, "number of filters, K"};
inline constexpr layout_field filter_height{"filter_height", 52, 4, "R"};
inline constexpr layout_field filter_width{"filter_width", 56, 4, "S"};
inline constexpr layout_field padding_height{"padding_height", 60, 4, "pixels above and below"};
inline constexpr layout_field padding_width{"padding_width", 64, 4, "pixels left and right"};
inline constexpr layout_field stride_height{"stride_height", 68, 4, "pixels from output to output"};
inline constexpr layout_field stride_width{"stride_width", 72, 4, "pixels from output to output"};
inline constexpr layout_field dilation_height{"dilation_height", 76, 4, "pixels from tap to tap"};
inline constexpr layout_field dilation_width{"dilation_width", 80, 4, "pixels from tap to tap"};
inline constexpr layout_field method{"method", 84, 4, "how pixels come to tensor memory: a code"};
inline constexpr layout_field input{"input", 88, 8, "address of the images, NHWC, f16"};
inline constexpr layout_field filter{"filter", 96, 8, "address of the filters, KRSC, f16"};
inline constexpr layout_field output{"output", 104, 8, "address of the output, NPQK, f32"};
inline constexpr std::array convolution{&batch,          &height,         &width,         &channels,      &filters,      &filter_height,
                                        &filter_width,   &padding_height, &padding_width, &stride_height, &stride_width, &dilation_height,
                                        &dilation_width, &method,         &input,         &filter,        &output};

inline constexpr layout_field completed_identifier{"identifier", 0, 4, "of the command"};
inline constexpr layout_field status{"status", 4, 4, "how it ended: a code, never 0"};
inline constexpr layout_field cycles{"cycles", 8, 8, "of the kernel; 0 if none ran"};
inline constexpr layout_field issued{"instructions", 16, 8, "warp instructions that the kernel issued"};
inline constexpr layout_field mismatches{"mismatches", 24, 8, "bytes that are not what a trace expects"};
/// What the device writes when a command has ended.
inline constexpr std::array completion_record{&completed_identifier, &status, &cycles, &issued, &mismatches};

}  // namespace layout

}  // namespace tc::platform
