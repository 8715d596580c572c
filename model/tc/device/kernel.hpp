// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/device/sm_occupancy.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/trace.hpp>
#include <tc/warp/kernel_constants.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::device {

/// What a kernel may not ask of tensor memory as a whole.
class tensor_memory_check {
 public:
  /// Both must outlive it.
  tensor_memory_check(const config::machine& machine, const trace::kernel_header& header) : machine_(machine), header_(header) {}

  /// Why the machine does not run the next instruction of the kernel, in a line of its trace; empty if it does. All instructions of a
  /// kernel that have a .cta_group have the same (PTX ISA, tcgen05); pairs of CTAs need clusters of pairs, and a machine with pairs of SMs.
  std::string refusal(const isa::tcgen05_operation& operation, std::uint64_t line);

  /// Whether instructions so far work on pairs of CTAs.
  bool has_pairs() const { return group_ == isa::cta_group::two; }
  /// Of the first instruction that has a .cta_group.
  std::uint64_t group_line() const { return line_; }

 private:
  std::string pair_refusal() const;

  const config::machine& machine_;
  const trace::kernel_header& header_;
  std::optional<isa::cta_group> group_;  // of the instructions so far
  std::uint64_t line_ = 0;               // of the first one that has it
};

/// What becomes of the images of global memory in a kernel's trace when the kernel begins.
enum class image_use : std::uint8_t {
  regions,  ///< they make regions of memory, which kernels share whole
  written,  ///< they are written wherever they lie, in a memory that is not the model's own
  none      ///< nothing: memory keeps what it has
};

/// A trace to run, and the name that messages and results give it.
struct kernel_source {
  std::string file;
  const trace::trace* trace = nullptr;              ///< must outlive the machine, if it has no owner
  std::shared_ptr<const tc::trace::trace> owner{};  ///< of the trace: the kernel, and what its images back, keep it
  image_use images = image_use::regions;
};

/// A kernel of a run: the order in which its CTAs are dispatched, and what each of them needs. CTAs come in linear order, x fastest; those
/// of a cluster follow each other, in the place of the cluster.
class kernel {
 public:
  /// Throws run_error if the machine cannot run the trace: its architecture, a matrix operation, or the size of a CTA or a cluster.
  kernel(std::uint32_t number, const kernel_source& source, const config::machine& machine);

  std::uint32_t number() const { return number_; }
  const std::string& file() const { return file_; }
  const trace::trace& trace() const { return trace_; }
  /// Plays a warp of a CTA that has come to an SM, the `index`th that the trace holds of it. Throws what trace::play() does.
  trace::warp_player play(const trace::cta_entry& cta, std::uint32_t index, unsigned sm) const {
    return run_ == nullptr ? trace_.play(cta, index) : trace_.play(cta, index, *run_, sm);
  }
  /// Whether it is executed while it runs: each of its steps is made when it issues.
  bool is_executed() const { return run_ != nullptr; }
  /// Keeps the trace; null if it outlives the machine.
  const std::shared_ptr<const tc::trace::trace>& trace_owner() const { return owner_; }
  image_use images() const { return images_; }
  const trace::kernel_header& header() const { return trace_.header(); }
  const warp::constant_memory& constants() const { return constants_; }
  const cta_demand& demand() const { return demand_; }
  const warp::tensor_map_table& tensor_maps() const { return tensor_maps_; }
  bool has_warpgroup_operations() const { return has_warpgroup_operations_; }
  /// Its CTAs work in pairs (isa::cta_group), which follow each other in the order of dispatch, CTA 0 of the pair first.
  bool has_pairs() const { return has_pairs_; }
  /// How many of a machine's SMs can take CTAs: a pair takes the two SMs of a TPC.
  unsigned usable_sms(unsigned sms) const { return has_pairs_ ? sms - sms % 2 : sms; }

  /// CTAs by their place in the order of dispatch.
  std::size_t cta_count() const { return order_.size(); }
  const trace::cta_entry& cta(std::size_t position) const { return trace_.ctas()[order_[position]]; }
  /// CTAs from a position on that start together: the rest of the cluster.
  std::size_t group_size(std::size_t position) const;
  /// Number of a CTA in its grid, x + gx (y + gy z).
  std::uint32_t linear_number(const trace::cta_entry& cta) const;
  /// Rank of a CTA in its cluster, x fastest (PTX ISA, %cluster_ctarank).
  std::uint32_t cluster_rank(const trace::cta_entry& cta) const;
  /// Number of the CTA that has a rank in the cluster of another.
  std::uint32_t number_of_rank(const trace::cta_entry& other, std::uint32_t rank) const;
  /// Number of the CTA whose rank differs in bit 0 only (PTX ISA, tcgen05, peer CTA); meaningful if the kernel has pairs.
  std::uint32_t peer_of(const trace::cta_entry& cta) const { return number_of_rank(cta, cluster_rank(cta) ^ 1u); }

 private:
  std::uint64_t cluster_of(const trace::cta_entry& cta) const;
  void order_ctas();
  void load_constants();
  void check(const config::machine& machine);
  void check_matrix_operations(const config::machine& machine);
  void check_pairs(std::uint64_t line) const;
  unsigned named_registers() const;

  std::uint32_t number_;
  std::string file_;
  std::shared_ptr<const tc::trace::trace> owner_;
  image_use images_;
  const trace::trace& trace_;
  std::unique_ptr<trace::step_run> run_;  // null: its steps are those of the trace
  warp::constant_memory constants_;
  warp::tensor_map_table tensor_maps_;
  cta_demand demand_;
  bool has_warpgroup_operations_ = false, has_pairs_ = false;
  std::vector<std::uint32_t> order_;  // places in trace().ctas()
};

/// The kernels of a run, in order.
using kernel_list = std::vector<std::unique_ptr<kernel>>;

/// Throws run_error for a trace that the machine cannot run, and for kernels whose regions of global memory do not go together.
kernel_list make_kernels(const std::vector<kernel_source>& sources, const config::machine& machine);

}  // namespace tc::device
