// SPDX-License-Identifier: Apache-2.0
#include "run_laws.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/accounting/energy_account.hpp>
#include <tc/accounting/law.hpp>
#include <tc/accounting/object_path.hpp>
#include <tc/accounting/product_peak.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::accounting {

namespace {

bool is_in(std::string_view path, std::string_view gpu) {
  return path.size() > gpu.size() && path.substr(0, gpu.size()) == gpu && path[gpu.size()] == '.';
}

/// The tensor cores of a sub-core, or of an SM, and the cycles in which they had something to multiply.
class product_judge final : public fabric::statistics_sink {
 public:
  product_judge(const simulated_machine& simulated, std::vector<broken_law>& broken) : of_(simulated), broken_(broken) {
    fabric::collect_statistics(*this);
  }

  void begin_object(std::string_view path) override {
    path_ = path;
    counts_ = is_in(path, of_.path);
    needed_ = busy_ = 0;
  }
  void record(const fabric::statistic& value) override {
    if (!counts_) return;
    if (value.name == "multiply_accumulates_of")
      needed_ += static_cast<double>(value.value) / product_peak(of_.machine, value.part, ends_in(path_, "tensor_engine.matrices"));
    if (value.kind == fabric::statistic_kind::busy) busy_ = static_cast<double>(value.value);
  }
  void end_object() override {
    if (needed_ > busy_)
      broken_.push_back({"dot-product units form no more products than they can", std::string(path_), std::ceil(needed_), busy_});
  }

 private:
  const simulated_machine& of_;
  std::vector<broken_law>& broken_;
  std::string_view path_;
  bool counts_ = false;
  double needed_ = 0, busy_ = 0;  ///< cycles
};

}  // namespace

std::string broken_law::text() const {
  return fmt::format("{}: {} has {:.0f}, and {:.0f} is {}", law, unit, found, bound,
                     is_equation ? "what it must be" : "the most there can be");
}

namespace {

/// The part of the machine that an object belongs to; empty if it is in none of this kind.
std::string_view part_of(std::string_view path, law_scope scope) {
  if (scope == law_scope::object) return path;
  if (scope == law_scope::gpu) return path.substr(0, path.find('.'));
  const std::string_view wanted = scope == law_scope::sm ? "sm" : "sub_core";
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (without_number(path.substr(begin, end - begin)) == wanted) return path.substr(0, end);
    begin = end + 1;
  }
  return {};
}

/// The same of all objects of a kind.
std::string without_numbers(std::string_view path) {
  std::string kind;
  while (!path.empty()) {
    const std::size_t length = std::min(path.find('.'), path.size());
    kind.append(without_number(path.substr(0, length))).append(1, '.');
    path.remove_prefix(std::min(length + 1, path.size()));
  }
  return kind;
}

/// The two sides of a law in one part of the machine.
struct sides {
  double left = 0, right = 0;
  bool has_left = false, has_right = false;
};

/// Adds up the statistics of all laws in one walk.
class law_collector final : public fabric::statistics_sink {
 public:
  explicit law_collector(const simulated_machine& simulated) : of_(simulated), sums_(laws().size()) { fabric::collect_statistics(*this); }

  void begin_object(std::string_view path) override {
    path_ = path;
    counts_ = is_in(path, of_.path);
    if (counts_) terms_ = terms_of(without_numbers(path));
  }
  void end_object() override {}
  void record(const fabric::statistic& value) override {
    if (!counts_) return;
    for (const use& each : *terms_) {
      if (each.term->statistic != value.name) continue;
      const std::string_view part = part_of(path_, laws()[each.law].scope);
      if (part.empty()) continue;
      sides& sum = sums_of(each.law, part);
      (each.is_left ? sum.left : sum.right) += static_cast<double>(value.value) * factor_of(*each.term);
      (each.is_left ? sum.has_left : sum.has_right) = true;
    }
    if (value.kind == fabric::statistic_kind::busy) busy_.push_back({std::string(path_), static_cast<double>(value.value)});
  }

  void judge(std::vector<broken_law>& broken) const {
    for (std::size_t i = 0; i < laws().size(); ++i) {
      const law& rule = laws()[i];
      if (!of_.is_complete && !rule.holds_in_flight) continue;
      const double slack = rule.slack == nullptr ? 0 : rule.slack(of_.machine);
      for (const auto& [part, sum] : sums_[i]) {
        const bool stands_idle = rule.is == law::relation::equals && sum.left == 0;  // another unit is bound in its place
        const bool applies = sum.has_left && (sum.has_right || of_cycles(rule) > 0) && !stands_idle;
        const double right = sum.right + of_cycles(rule);
        const bool holds = rule.is == law::relation::equals ? sum.left == right : sum.left <= right + slack;
        if (applies && !holds) broken.push_back({std::string(rule.name), part, sum.left, right, rule.is == law::relation::equals});
      }
    }
    if (of_.is_complete) judge_busy(broken);
  }

 private:
  struct use {
    std::size_t law = 0;
    const law_term* term = nullptr;
    bool is_left = false;
  };
  struct busy_unit {
    std::string path;
    double cycles = 0;
  };

  /// A unit may hold its input longer than its last instruction takes.
  void judge_busy(std::vector<broken_law>& broken) const {
    const double most = static_cast<double>(of_.cycles) + longest_occupation(of_.machine);
    for (const busy_unit& each : busy_)
      if (each.cycles > most)
        broken.push_back({"no unit is busy for longer than the run", each.path, each.cycles, static_cast<double>(of_.cycles)});
  }

  /// Most objects have none; units of a kind have the same.
  const std::vector<use>* terms_of(const std::string& kind) {
    const auto known = terms_of_kind_.find(kind);
    if (known != terms_of_kind_.end()) return &known->second;
    std::vector<use>& uses = terms_of_kind_[kind];
    for (std::size_t i = 0; i < laws().size(); ++i) {
      for (const law_term& term : laws()[i].left)
        if (is_of(term)) uses.push_back({i, &term, true});
      for (const law_term& term : laws()[i].right)
        if (is_of(term)) uses.push_back({i, &term, false});
    }
    return &uses;
  }
  bool is_of(const law_term& term) const { return !term.object.empty() && ends_in(path_, term.object); }
  double factor_of(const law_term& term) const { return term.times == nullptr ? 1 : term.times(of_.machine); }
  double of_cycles(const law& rule) const {
    double sum = 0;
    for (const law_term& term : rule.right)
      if (term.object.empty()) sum += static_cast<double>(of_.cycles) * factor_of(term);
    return sum;
  }
  sides& sums_of(std::size_t number, std::string_view part) {
    const auto found = sums_[number].find(part);
    return found != sums_[number].end() ? found->second : sums_[number][std::string(part)];
  }

  const simulated_machine& of_;
  std::string_view path_;
  bool counts_ = false;
  const std::vector<use>* terms_ = nullptr;
  std::map<std::string, std::vector<use>> terms_of_kind_;
  std::vector<std::map<std::string, sides, std::less<>>> sums_;  ///< by law
  std::vector<busy_unit> busy_;
};

/// Sums of the same numbers in two orders.
bool is_same(double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y)); }

void judge_energy(const config::machine& machine, cycle_t cycles, std::vector<broken_law>& broken) {
  const energy_account account = account_energy(machine, cycles);
  const auto sum = [](const std::vector<energy_account::share>& shares) {
    double all = 0;
    for (const energy_account::share& each : shares) all += each.nanojoules;
    return all;
  };
  for (const auto& [what, total] :
       {std::pair{"energy by event is the total", sum(account.events)}, std::pair{"energy by unit is the total", sum(account.units)}})
    if (!is_same(total, account.total_nanojoules)) broken.push_back({what, "the machine", total, account.total_nanojoules, true});
}

}  // namespace

std::vector<broken_law> broken_laws(const simulated_machine& simulated) {
  std::vector<broken_law> broken;
  law_collector(simulated).judge(broken);
  product_judge(simulated, broken);
  if (simulated.machine.energy) judge_energy(simulated.machine, simulated.cycles, broken);
  return broken;
}

std::vector<broken_law> broken_laws_of_warps(const run_result& result) {
  std::vector<broken_law> broken;
  for (const warp_result& warp : result.warps) {
    const bool was_given_up = !result.kernels.empty() && !result.kernels[warp.kernel].finished && result.status == run_status::finished;
    const cycle_t explained = warp.started + warp.instructions + warp.stalls.sum();
    if (explained == warp.last_issue + 1 || was_given_up) continue;
    broken.push_back({"each cycle of a warp is an instruction or a stall",
                      fmt::format("warp {} of CTA {} of kernel {}", warp.warp, warp.cta, warp.kernel), static_cast<double>(explained),
                      static_cast<double>(warp.last_issue + 1), true});
  }
  return broken;
}

}  // namespace tc::accounting
