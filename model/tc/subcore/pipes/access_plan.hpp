// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <tc/links/shared_memory_link.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// What the lanes of a warp access at once: up to 32 elements of one size. An element is what a lane loads or stores, or a row of an 8x8
/// matrix.
struct element_set {
  std::uint32_t mask = 0;  ///< the elements that exist
  unsigned bytes = 4;      ///< of each: 1, 2, 4, 8 or 16; addresses are multiples of it

  bool has(unsigned element) const { return (mask >> element & 1U) != 0; }
};

/// The same with their addresses.
struct access_elements : element_set {
  std::array<std::uint64_t, warp::lanes_per_warp> address;  ///< without meaning where there is no element
};

using links::access_run;

/// How an access is split: into groups that the memory serves one after another (wavefronts of shared memory, lines of global memory), and
/// each group into contiguous runs. Elements that share bytes share them in the buffer as well, except in different groups.
class access_plan {
 public:
  static constexpr unsigned max_bytes = warp::lanes_per_warp * 16;

  /// Nothing is accessed.
  void clear() {
    run_count_ = groups_ = conflicts_ = bytes_ = 0;
    conflict_groups_ = 0;
    is_single_element_ = is_in_order_ = false;
  }

  /// Shared memory: a wavefront serves one word of each bank, to any number of lanes. Elements of 8 and 16 bytes are served half a warp and
  /// a quarter of a warp at a time, so that one wavefront is enough without conflicts (CUDA C++ Programming Guide, shared memory); a single
  /// element goes to twice as many lanes at a time (measured on an H200). Both parameters are powers of two.
  void split_by_banks(const access_elements& elements, unsigned banks, unsigned bank_width_bytes);

  /// Global memory: what lies in one aligned line forms one request. `line_bytes` is a power of two.
  void split_by_lines(const access_elements& elements, unsigned line_bytes);

  const access_run* begin() const { return runs_.data(); }
  const access_run* end() const { return runs_.data() + run_count_; }
  unsigned runs() const { return run_count_; }
  unsigned groups() const { return groups_; }
  /// Bytes of all runs.
  unsigned bytes() const { return bytes_; }
  /// Bytes of the runs behind one in its group.
  unsigned bytes_behind(const access_run& run) const;
  /// Wavefronts in which a group is needed only because of a bank conflict.
  unsigned conflicts() const { return conflicts_; }
  /// Which they are: bit per group.
  std::uint32_t conflict_groups() const { return conflict_groups_; }
  /// Whether all lanes access the same element.
  bool is_single_element() const { return is_single_element_; }
  /// Shared memory: whether each group is one wavefront. Elements that lie at no multiple of their size may share a bank in a group that
  /// the plan puts them in, and one that is wider than all banks together takes several.
  bool has_exact_groups() const { return has_exact_groups_; }
  /// Where the first element begins, and the last one ends.
  std::uint64_t begin_address() const { return begin_address_; }
  std::uint64_t end_address() const { return end_address_; }
  /// Whether there are all elements, which lie in the buffer in their order, without gaps.
  bool is_in_order() const { return is_in_order_; }
  /// Where the bytes of an element lie in the buffer.
  unsigned offset(unsigned element) const { return offset_[element]; }

 private:
  void add_phase(const access_elements& elements, std::uint32_t phase, unsigned unit_shift, unsigned columns);
  void make_runs(const access_elements& elements);

  std::array<std::uint16_t, warp::lanes_per_warp> group_{};   // by element
  std::array<std::uint16_t, warp::lanes_per_warp> offset_{};  // by element
  std::array<access_run, warp::lanes_per_warp> runs_{};
  unsigned run_count_ = 0, groups_ = 0, conflicts_ = 0, bytes_ = 0;
  std::uint32_t conflict_groups_ = 0;  // bit per group: at most 32
  std::uint64_t begin_address_ = 0, end_address_ = 0;
  bool is_single_element_ = false, has_exact_groups_ = true, is_in_order_ = false;
};

/// A plan that is kept, with the accesses that it is for. Counted without a lock: a simulation has one thread.
struct kept_plan : boost::intrusive_ref_counter<kept_plan, boost::thread_unsafe_counter> {
  access_elements pattern;  ///< relative to a base; 0 where there is no element
  access_plan plan;
};

/// A plan whose addresses count from a base.
struct based_plan {
  std::uint64_t base = 0;
  boost::intrusive_ptr<const kept_plan> kept;

  const access_plan& plan() const { return kept->plan; }
};

/// The plans of accesses to one memory. How an access is split follows from its addresses relative to the row or line of the lowest one.
/// A kernel's loops repeat few such patterns: those of late are kept, each with its plan.
class access_plans {
 public:
  /// Of a shared memory, see access_plan::split_by_banks().
  static access_plans by_banks(unsigned banks, unsigned bank_width_bytes);
  /// Of a global memory, see access_plan::split_by_lines().
  static access_plans by_lines(unsigned line_bytes);

  /// The plan of an access, which has at least one element.
  based_plan of(const access_elements& elements);

 private:
  /// Patterns that are kept, each in the place that its hash tells.
  static constexpr unsigned places = 32;

  access_plans(unsigned banks, unsigned row_bytes);

  boost::intrusive_ptr<const kept_plan> make(const access_elements& pattern) const;

  unsigned banks_;  // 0: lines
  std::uint64_t row_bytes_;
  std::array<boost::intrusive_ptr<const kept_plan>, places> kept_;
};

}  // namespace tc::subcore
