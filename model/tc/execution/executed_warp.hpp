// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tc/execution/access_request.hpp>
#include <tc/execution/cta_state.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/step.hpp>

namespace tc::execution {

/// The instructions of a kernel as its trace has them: by their number in the program.
class traced_code {
 public:
  static constexpr std::uint32_t none = trace::made_steps::own_code;

  /// The header, and the file that messages name, must outlive it. `indices`: of the code table; `none` of instructions that have no fixed
  /// form.
  traced_code(const trace::kernel_header& header, const std::string& file, std::vector<std::uint32_t> indices)
      : header_(header), file_(file), indices_(std::move(indices)) {}

  std::uint32_t index(const operation& op) const { return indices_[op.number]; }
  /// An instruction that registers have made: what follows the pc in a line. It is decoded once. Throws trace::trace_error.
  const isa::instruction& decoded(const std::string& text, std::uint64_t line);

 private:
  const trace::kernel_header& header_;
  const std::string& file_;
  const std::vector<std::uint32_t> indices_;
  std::map<std::string, isa::instruction> decoded_;
};

/// A warp that is executed while the machine runs it: each instruction when it issues, and each access when memory performs it.
class executed_warp final : public trace::made_steps {
 public:
  executed_warp(std::shared_ptr<cta_state> cta, unsigned warp, traced_code& code);

  bool next(trace::step& s) override;
  void issue(trace::step& s, std::uint64_t cycle) override;
  void perform(std::uint32_t access) override;

 private:
  void find_form(std::uint32_t mask);
  void take_line();
  void tell(trace::step& s) const;
  void take_turns();
  access_request& new_request(std::uint32_t& number);

  struct pending_access {
    access_request request;
    bool has_read = false;  ///< of a copy
  };

  const std::shared_ptr<cta_state> cta_;
  warp_state& warp_;
  traced_code& code_;
  const operation* upcoming_ = nullptr;  ///< what next() has told, and has not issued
  bool is_behind_ = false;               ///< but it is a line behind the first of the operation, which has issued
  std::vector<std::string> lines_;       ///< of an operation that has a form of its own
  std::size_t next_line_ = 0;
  std::uint32_t code_index_ = 0;  ///< of the step that next() has made
  const isa::instruction* own_ = nullptr;
  std::uint32_t last_mask_ = 0;
  unsigned turn_ = 0;                    ///< instructions since the lanes that run changed
  std::deque<pending_access> requests_;  ///< by number, from 1 on
  std::vector<std::uint32_t> free_;      ///< numbers of those that memory has performed
};

}  // namespace tc::execution
