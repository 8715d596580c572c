// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/trace/instruction_expander.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/progress.hpp>
#include <tc/trace/trace_contents.hpp>
#include <tc/trace/warp_player.hpp>

namespace tc::trace {

/// Where a trace keeps what does not stay in memory, finds what it refers to, who translates its PTX, and how large it may be.
struct open_options {
  std::filesystem::path spool_folder;              ///< for the temporary file; empty: $TMPDIR, or else /tmp
  std::filesystem::path image_folder;              ///< of the image files of a trace that is read from a stream
  const instruction_expander* expander = nullptr;  ///< for instructions of PTX; null: machine instructions only
  size_limits limits;
  isa::matrix_shape_table matrix_shapes{};  ///< with the matrix instructions that the program declares, as if each trace did
  progress_listener progress{};             ///< is told how far reading a text has come; may be empty
};

/// What a trace is made of, in numbers.
struct trace_summary {
  std::string kernel;
  std::uint64_t ctas = 0, warps = 0;
  std::uint64_t instructions = 0;                ///< executed, by all warps
  std::uint64_t distinct_instructions = 0;       ///< different texts among them
  std::map<std::string, std::uint64_t> opcodes;  ///< executed, by opcode with its modifiers
};

/// The trace of one kernel. Opening it reads and checks all of the text, so that a mistake is found before anything runs; of a packed
/// trace, which has been checked, it reads all but the steps. A trace_builder makes one without a text. Then each warp's steps can be
/// played, any number of warps at once.
class trace {
 public:
  // Both know packed traces too, a room above this one, and are defined there (packed/open_trace.cpp).

  /// Reads a trace file (text, .xz, .gz, or packed). Throws trace_error for anything wrong in it, spool_error if the temporary file fails.
  static trace open(const std::filesystem::path& path, const open_options& options = {});
  /// Reads a trace from a stream, which may hold xz or gzip data or a packed trace; `name` stands for the file in messages.
  static trace read(std::istream& text, const std::string& name, const open_options& options = {});

  const kernel_header& header() const { return contents_->header; }
  /// The CTAs of the trace in the order of dispatch: x fastest, then y, then z. A trace need not hold all of the grid.
  const std::vector<cta_entry>& ctas() const { return contents_->ctas; }

  /// Distinct instructions; step::code_index is below it.
  std::uint32_t code_size() const { return contents_->code.size(); }
  const isa::instruction& code(std::uint32_t index) const { return contents_->code[index].instruction; }
  /// The line in which an instruction first stands.
  std::uint64_t code_line(std::uint32_t index) const { return contents_->code[index].line; }

  /// Plays a warp of `cta`, the `index`th that the trace holds of it; std::out_of_range if it holds no such warp. Throws spool_error.
  warp_player play(const cta_entry& cta, std::uint32_t index) const;

  /// A run of a kernel whose steps depend on it; null: they are always the same, and every trace that was read has such.
  std::unique_ptr<step_run> begin_run() const { return contents_->maker == nullptr ? nullptr : contents_->maker->begin_run(); }
  /// Plays a warp in a run, which must outlive the player.
  warp_player play(const cta_entry& cta, std::uint32_t index, step_run& run, unsigned sm) const;

  trace_summary summary() const;
  /// Executed by all warps, as in summary().
  std::uint64_t instructions() const { return contents_->instructions; }

  /// Reads and checks what open() has left, the steps of a packed trace. Throws trace_error if the file is damaged, or a step is none that
  /// a text could have. `progress` is told how many
  /// instructions have been read, and may be empty.
  void verify(const progress_listener& progress = {}) const;
  /// As verify(), and throws trace_error if a warp does not end with an EXIT, or a CTA lacks warps: of a trace that is cut off, or one that
  /// was put together of parts.
  void verify_whole(const progress_listener& progress = {}) const;

 private:
  friend class trace_builder;
  explicit trace(std::unique_ptr<const trace_contents> contents) : contents_(std::move(contents)) {}
  /// Plays all warps, and calls ended(player, step) with each one's last step.
  template <class Ended>
  void verify_steps(const progress_listener& progress, const Ended& ended) const;
  void verify_warps(const cta_entry& cta) const;

  std::unique_ptr<const trace_contents> contents_;  ///< players point to it, also when the trace is moved
};

}  // namespace tc::trace
