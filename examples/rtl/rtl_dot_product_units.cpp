// SPDX-License-Identifier: Apache-2.0
#include "rtl_dot_product_units.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace rtl {

using tc::links::dot_product_transfer;

namespace {

/// Operations that a threadgroup of the machine starts in a cycle.
unsigned units_of(const tc::config::tensor_core_parameters& machine, const rtl_shape& shape) {
  const unsigned products = machine.dot_product_units * machine.unit.f16_per_cycle;
  if (machine.arithmetic.f16.group_length != shape.length)
    throw std::invalid_argument("the RTL adds " + std::to_string(shape.length) + " products at once, and arithmetic.f16.group_length is " +
                                std::to_string(machine.arithmetic.f16.group_length));
  if (products % shape.length != 0 || products / shape.length > shape.units)
    throw std::invalid_argument("a threadgroup of the machine forms " + std::to_string(products) +
                                " products of f16 in a cycle, and its RTL " + std::to_string(shape.units) + " times " +
                                std::to_string(shape.length));
  return products / shape.length;
}

}  // namespace

rtl_dot_product_units::rtl_dot_product_units(const sc_core::sc_module_name& module_name, const tc::links::dot_product_site& site,
                                             const make_threadgroup& make)
    : sc_module(module_name),
      machine_clock_(site.clock),
      octets_(tc::links::octets_per_warp / site.tensor_core.count),
      octets_per_cycle_(site.tensor_core.octets_per_cycle),
      threadgroups_(std::size_t{2} * octets_),
      model_("model", site.tensor_core.arithmetic, site.operands) {
  products.register_nb_transport_fw(this, &rtl_dot_product_units::multiply);
  others_.bind(model_.products);
  for (std::size_t i = 0; i < threadgroups_.size(); ++i) {
    rtl_threadgroup& rtl = *(threadgroups_[i].rtl = make(("threadgroup_" + std::to_string(i)).c_str()));
    rtl.clock(clock_);
    rtl.reset_n(reset_n_);
  }
  const rtl_shape& shape = threadgroups_.front().rtl->shape();
  length_ = shape.length;
  units_ = units_of(site.tensor_core, shape);
  for (threadgroup_state& group : threadgroups_) group.under_way.resize(units_);
  SC_METHOD(half_cycle);
  dont_initialize();
  sensitive << work_;
}

rtl_dot_product_units::~rtl_dot_product_units() = default;

tc::links::dot_product_maker rtl_dot_product_maker(make_threadgroup make) {
  return [make = std::move(make)](const char* name, const tc::links::dot_product_site& site) -> tc::links::made_dot_products {
    if (site.operands == tc::config::operand_source::shared_memory) {
      auto model = std::make_unique<tc::subcore::dot_product_units>(name, site.tensor_core.arithmetic, site.operands);
      auto* const socket = &model->products;
      return {std::move(model), {socket}};
    }
    auto units = std::make_unique<rtl_dot_product_units>(name, site, make);
    auto* const socket = &units->products;
    return {std::move(units), {socket}};
  };
}

// ---- matrix instructions

tlm::tlm_sync_enum rtl_dot_product_units::multiply(dot_product_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  using tc::isa::element_type;
  if (transfer.mma->a != element_type::f16 || transfer.mma->b != element_type::f16) return others_->nb_transport_fw(transfer, phase, delay);
  if (transfer.d == nullptr) return tlm::TLM_COMPLETED;  // a run without data
  take(transfer, transfer.arrival);
  work_.notify(machine_clock_.delay_to(transfer.arrival));
  return tlm::TLM_ACCEPTED;
}

/// Copies the factors, and deals the elements of D to the threadgroups, whose octets start one after the other.
void rtl_dot_product_units::take(dot_product_transfer& transfer, cycle_t first) {
  job& taken = *jobs_.emplace_back(std::make_unique<job>());
  taken.transfer = &transfer;
  taken.is_f16 = tc::isa::bits(transfer.mma->d) == 16;
  taken.operations = (transfer.shape.k + length_ - 1) / length_;
  for (unsigned product = 0; product < transfer.shape.products; ++product) take_product(taken, product);
  taken.outstanding = taken.elements.size();
  for (unsigned g = 0; g < threadgroups_.size(); ++g) threadgroups_[g].shares.push_back({first + g % octets_ / octets_per_cycle_, {}});
  for (element& each : taken.elements) threadgroups_[each.row % threadgroups_.size()].shares.back().waiting.push_back(&each);
}

void rtl_dot_product_units::take_product(job& taken, unsigned product) {
  const dot_product_transfer& transfer = *taken.transfer;
  const unsigned rows = transfer.shape.rows, columns = transfer.shape.columns, k = transfer.shape.k;
  const std::size_t line = std::size_t{taken.operations} * length_;
  const unsigned words = k / 2, first_row = product * rows, first_column = product * columns;
  const std::uint32_t* const a = transfer.a + std::size_t{product} * transfer.a_words();
  const std::uint32_t* const b = transfer.b + std::size_t{product} * transfer.b_words();
  taken.a.resize((first_row + rows) * line);
  taken.b.resize((first_column + columns) * line);
  for (unsigned i = 0; i < k; ++i) {
    const unsigned word = i / 2, shift = i % 2 * 16;
    for (unsigned r = 0; r < rows; ++r) taken.a[(first_row + r) * line + i] = static_cast<std::uint16_t>(a[word * rows + r] >> shift);
    for (unsigned n = 0; n < columns; ++n)
      taken.b[(first_column + n) * line + i] = static_cast<std::uint16_t>(b[n * words + word] >> shift);
  }
  for (unsigned n = 0; n < columns; ++n) {
    for (unsigned r = 0; r < rows; ++r) {
      const std::size_t at = std::size_t{product} * transfer.d_words() + n * rows + r;
      taken.elements.push_back({&taken, first_row + r, first_column + n, transfer.c[at], transfer.d + at});
    }
  }
}

void rtl_dot_product_units::finish(job& done) {
  dot_product_transfer& transfer = *done.transfer;
  jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(), [&done](const auto& each) { return each.get() == &done; }));
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  products->nb_transport_bw(transfer, phase, delay);
}

// ---- the clock

void rtl_dot_product_units::half_cycle() {
  const sc_core::sc_time half = machine_clock_.period() / 2;
  if (rises_next_) {
    ++edges_;
    clock_.write(true);
    rises_next_ = false;
    next_trigger(machine_clock_.period() - half);
    return;
  }
  clock_.write(false);
  reset_n_.write(true);
  const cycle_t now = machine_clock_.cycle_of(sc_core::sc_time_stamp());
  begin_cycle(now);
  if (operations_under_way_ == 0) return sleep(now);
  rises_next_ = true;
  next_trigger(half);
}

/// The outputs are those of the edge before, and the inputs are set for the next one.
void rtl_dot_product_units::begin_cycle(cycle_t now) {
  for (threadgroup_state& group : threadgroups_) {
    collect(group);
    start(group, now);
    for (; !group.addends.empty() && group.addends.front().cycle == now; group.addends.pop_front())
      group.rtl->add(group.addends.front().unit, group.addends.front().of->value);
    group.rtl->drive();
  }
}

void rtl_dot_product_units::collect(threadgroup_state& group) {
  for (unsigned unit = 0; unit < units_; ++unit) {
    if (!group.rtl->has_result(unit) || group.under_way[unit].empty()) continue;
    element& computed = *group.under_way[unit].front();
    group.under_way[unit].pop_front();
    --operations_under_way_;
    computed.value = group.rtl->result(unit);
    if (++computed.computed != computed.owner->operations) continue;
    *computed.d = computed.value;
    if (--computed.owner->outstanding == 0) finish(*computed.owner);
  }
}

/// Gives each unit an operation, as far as there are any whose addend will be there in time; of older instructions first.
void rtl_dot_product_units::start(threadgroup_state& group, cycle_t now) {
  unsigned unit = 0;
  for (share& part : group.shares) {
    if (part.first > now) break;
    for (; unit < units_ && !part.waiting.empty() && part.waiting.front()->ready <= now; ++unit) {
      element& next = *part.waiting.front();
      part.waiting.pop_front();
      start(group, unit, next, now);
      if (next.started != next.owner->operations) part.waiting.push_back(&next);
    }
  }
  while (!group.shares.empty() && group.shares.front().waiting.empty()) group.shares.pop_front();
}

void rtl_dot_product_units::start(threadgroup_state& group, unsigned unit, element& next, cycle_t now) {
  const job& owner = *next.owner;
  const rtl_shape& shape = group.rtl->shape();
  const auto factors = [&](const std::vector<std::uint16_t>& lines, unsigned line) {
    return &lines[(std::size_t{line} * owner.operations + next.started) * length_];
  };
  group.rtl->start(unit, factors(owner.a, next.row), factors(owner.b, next.column), owner.is_f16);
  group.addends.push_back({now + shape.multiply_stages + 1, unit, &next});
  group.under_way[unit].push_back(&next);
  ++operations_under_way_;
  ++next.started;
  next.ready = now + shape.adder_stages;
}

/// The clock stands still until there is something to do.
void rtl_dot_product_units::sleep(cycle_t now) {
  cycle_t first = ~cycle_t{0};
  for (const threadgroup_state& group : threadgroups_) {
    if (!group.shares.empty()) first = std::min(first, std::max(group.shares.front().first, now + 1));
  }
  if (first != ~cycle_t{0}) work_.notify(machine_clock_.delay_to(first));
}

}  // namespace rtl
