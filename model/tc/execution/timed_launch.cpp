// SPDX-License-Identifier: Apache-2.0
#include "timed_launch.hpp"

#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tc/execution/executed_warp.hpp>
#include <tc/execution/trace_recorder.hpp>
#include <tc/execution/traced_form.hpp>
#include <tc/launches/launch_content.hpp>
#include <tc/trace/trace_builder.hpp>
#include <tc/trace/trace_writing.hpp>

namespace tc::execution {

/// What the launch and its runs have in common. Runs may outlive the launch's own object.
struct timed_launch::contents {
  std::shared_ptr<launched_grid> new_grid() const { return std::make_shared<launched_grid>(launch, kernel, machine, nullptr, true); }
  std::shared_ptr<launched_grid> next_grid() { return prepared != nullptr ? std::exchange(prepared, nullptr) : new_grid(); }

  launches::launch launch;
  listings::sass_kernel kernel;
  config::machine machine;
  trace::kernel_header header;
  std::vector<std::uint32_t> indices{};       ///< in the code table, by the number of an instruction
  std::shared_ptr<launched_grid> prepared{};  ///< for the first run; null: it has begun
  std::shared_ptr<launched_grid> last{};      ///< of the last run
};

/// One run: the memory of the launch, and its CTAs that are resident.
class timed_launch::run final : public trace::step_run {
 public:
  explicit run(std::shared_ptr<contents> of)
      : contents_(std::move(of)), grid_(contents_->next_grid()), code_(contents_->header, contents_->launch.file, contents_->indices) {
    contents_->last = grid_;
  }

  std::unique_ptr<trace::made_steps> play(const trace::cta_entry& cta, unsigned warp, unsigned sm) override {
    std::weak_ptr<cta_state>& known = ctas_[trace::linear_index(cta, contents_->header.grid)];
    std::shared_ptr<cta_state> state = known.lock();
    if (state == nullptr) {
      state = std::make_shared<cta_state>(grid_->setting(), trace::linear_index(cta, contents_->header.grid));
      known = state;
    }
    state->warp(warp).place(sm);
    return std::make_unique<executed_warp>(std::move(state), warp, code_);
  }

 private:
  std::shared_ptr<contents> contents_;
  std::shared_ptr<launched_grid> grid_;
  traced_code code_;
  std::map<std::uint64_t, std::weak_ptr<cta_state>> ctas_;  ///< by number
};

class timed_launch::steps final : public trace::step_maker {
 public:
  explicit steps(std::shared_ptr<contents> of) : contents_(std::move(of)) {}

  std::unique_ptr<trace::made_steps> play(const trace::cta_entry&, unsigned) const override {
    throw std::logic_error(contents_->launch.file + ": a launch is executed while a machine runs it");
  }
  std::unique_ptr<trace::step_run> begin_run() const override { return std::make_unique<run>(contents_); }

 private:
  std::shared_ptr<contents> contents_;
};

namespace {

std::vector<std::uint8_t> bytes_of(const std::uint8_t* content, std::uint64_t bytes) { return {content, content + bytes}; }

/// What the machine computes with, and what it compares with.
void add_values(const launches::launch& launch, const launched_grid& grid, trace::kernel_header& header) {
  using trace::memory_content;
  for (const auto& range : grid.constants().ranges())
    header.constants.push_back({range.bank, range.offset, memory_content::literal(range.bytes)});
  for (const global_memory::range& range : grid.memory.ranges())
    header.memory.push_back({range.base, memory_content::literal(bytes_of(range.content.data(), range.bytes))});
  for (const launches::launch_allocation& each : launch.allocations) {
    if (!each.after || each.tolerance) continue;
    header.expectations.push_back({{each.base, memory_content::literal(launches::read_content_file(*each.after, each.bytes))}, {}});
  }
}

/// The place of each instruction in the trace's code table; traced_code::none of those that have no form, or none of their own.
std::vector<std::uint32_t> add_code(const program& code, trace::trace_builder& builder) {
  std::vector<std::uint32_t> indices;
  for (const operation& op : code.operations()) {
    const listings::program_instruction& listed = code.listed(op);
    const bool has_line = listed.unknown.empty() && form_of(code, op) == traced_form::fixed;
    indices.push_back(has_line ? builder.add_code(behind_pc(listed.line), listed.listing_line, 0) : traced_code::none);
  }
  return indices;
}

}  // namespace

timed_launch::timed_launch(launches::launch launch, listings::sass_kernel kernel, const config::machine& machine, bool with_values)
    : contents_(std::make_shared<contents>(contents{std::move(launch), std::move(kernel), machine, {}})) {
  contents& own = *contents_;
  own.prepared = own.new_grid();
  const launched_grid& grid = *own.prepared;
  trace::trace_builder builder(own.launch.file, trace::header_text(timing_header(own.launch, own.kernel)));
  builder.header().has_data = with_values;
  if (with_values) add_values(own.launch, grid, builder.header());
  own.header = timing_header(own.launch, own.kernel);
  own.indices = add_code(grid.code(), builder);
  const trace::dim3& extents = own.launch.grid;
  for (std::uint64_t cta = 0; cta < extents.count(); ++cta)
    builder.add_cta(static_cast<std::uint32_t>(cta % extents.x), static_cast<std::uint32_t>(cta / extents.x % extents.y),
                    static_cast<std::uint32_t>(cta / extents.x / extents.y), own.header.warps_per_cta());
  trace_.emplace(std::move(builder).finish(std::make_unique<steps>(contents_)));
}

timed_launch::~timed_launch() = default;

const launches::launch& timed_launch::launch() const { return contents_->launch; }

const launched_grid* timed_launch::last_run() const { return contents_->last.get(); }

std::optional<memory_comparison> timed_launch::compare_last_run() const {
  if (contents_->last == nullptr) return std::nullopt;
  return compare(contents_->launch, contents_->last->memory);
}

}  // namespace tc::execution
