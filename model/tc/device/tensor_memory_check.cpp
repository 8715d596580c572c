// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory_check.hpp"

#include <variant>

#include <fmt/format.h>

namespace tc::device {

namespace {

/// The .cta_group of an instruction, nothing if it has none.
struct group_of {
  std::optional<isa::cta_group> operator()(const isa::tensor_mma_operation& operation) const { return operation.form.group; }
  std::optional<isa::cta_group> operator()(const isa::tensor_access_operation& /*operation*/) const { return std::nullopt; }
  std::optional<isa::cta_group> operator()(const isa::tensor_wait_operation& /*operation*/) const { return std::nullopt; }
  std::optional<isa::cta_group> operator()(const isa::tensor_fence_operation& /*operation*/) const { return std::nullopt; }
  template <class Operation>
  std::optional<isa::cta_group> operator()(const Operation& operation) const {
    return operation.group;
  }
};

}  // namespace

std::string tensor_memory_check::refusal(const isa::tcgen05_operation& operation, std::uint64_t line) {
  if (!machine_.sm.tensor_memory.is_there()) return "the machine has no tensor memory: sm.tensor_memory.columns is 0";
  if (const std::optional<isa::cta_group> group = std::visit(group_of(), operation); group) {
    if (!group_) line_ = line;
    if (group_.value_or(*group) != *group)
      return fmt::format("all instructions of a kernel must have the same .cta_group; that of line {} is another", line_);
    group_ = group;
  }
  return has_pairs() ? pair_refusal() : std::string();
}

std::string tensor_memory_check::pair_refusal() const {
  if (const trace::dim3& cluster = header_.cluster; cluster.count() % 2 != 0)
    return fmt::format("pairs of CTAs (.cta_group::2) need a cluster of an even number of CTAs; the header's `cluster` is {} {} {}",
                       cluster.x, cluster.y, cluster.z);
  if (machine_.sms < 2) return fmt::format("a pair of CTAs (.cta_group::2) needs two SMs; sms is {}", machine_.sms);
  return {};
}

}  // namespace tc::device
