// SPDX-License-Identifier: Apache-2.0
#include "kernel_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tcsim {

namespace {

namespace json = boost::json;
using side = kernel_difference::side;

const json::object* object_at(const json::object& document, std::string_view key) {
  const json::value* const member = document.if_contains(key);
  return member == nullptr ? nullptr : member->if_object();
}

const json::array* array_at(const json::object& document, std::string_view key) {
  const json::value* const member = document.if_contains(key);
  return member == nullptr ? nullptr : member->if_array();
}

std::optional<double> number_at(const json::object& document, std::string_view key) {
  const json::value* const member = document.if_contains(key);
  return member == nullptr || !member->is_number() ? std::nullopt : std::optional(member->to_number<double>());
}

/// Statistics of an older tcsim have the plain run, of seed 0, among the varied ones: it is no draw from what these are drawn from.
std::vector<double> varied_cycles(const json::object& jitter, const json::object& kernel) {
  const json::array *const seeds = array_at(jitter, "seeds"), *const cycles = array_at(kernel, "cycles");
  std::vector<double> found;
  if (seeds == nullptr || cycles == nullptr) return found;
  for (std::size_t i = 0; i < std::min(seeds->size(), cycles->size()); ++i)
    if ((*seeds)[i].to_number<std::uint64_t>() != 0) found.push_back((*cycles)[i].to_number<double>());
  std::sort(found.begin(), found.end());
  return found;
}

/// The kernels of a run in their order.
std::vector<side> sides_of(const json::object& document) {
  std::vector<side> sides;
  if (const json::array* const kernels = array_at(document, "kernels")) {
    for (const json::value& kernel : *kernels)
      if (kernel.is_object()) sides.push_back({kernel.get_object(), number_at(kernel.get_object(), "cycles")});
  } else if (const json::object* const trace = object_at(document, "trace")) {
    sides.push_back({*trace, number_at(document, "cycles")});
  }
  const json::object* const jitter = object_at(document, "jitter");
  const json::array* const varied = jitter == nullptr ? nullptr : array_at(*jitter, "kernels");
  for (std::size_t i = 0; varied != nullptr && i < std::min(varied->size(), sides.size()); ++i)
    if ((*varied)[i].is_object()) sides[i].varied_cycles = varied_cycles(*jitter, (*varied)[i].get_object());
  return sides;
}

std::string name_of(const side& kernel) {
  const json::value* const name = kernel.launch.if_contains("kernel");
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : std::string();
}

/// What of the launches differs first, for people; empty: nothing.
std::string differing_launch(const json::object& a, const json::object& b) {
  for (const std::string_view key : {"arch", "grid", "block", "cluster"}) {
    const json::value *const of_a = a.if_contains(key), *const of_b = b.if_contains(key);
    if (of_a != nullptr && of_b != nullptr && *of_a != *of_b)
      return fmt::format("another launch: {} {} and {}", key, json::serialize(*of_a), json::serialize(*of_b));
  }
  return "";
}

void compare(kernel_difference& kernel) {
  if (!kernel.a || !kernel.b) {
    kernel.not_compared = kernel.a ? "only in A" : "only in B";
    return;
  }
  kernel.not_compared = differing_launch(kernel.a->launch, kernel.b->launch);
  const auto of_a = number_at(kernel.a->launch, "instructions"), of_b = number_at(kernel.b->launch, "instructions");
  if (of_a && of_b && *of_a != *of_b) kernel.other_code = fmt::format("{:.0f} and {:.0f} instructions", *of_a, *of_b);
  if (kernel.has_runs()) kernel.chance = compare_by_ranks(kernel.a->varied_cycles, kernel.b->varied_cycles);
}

/// The parameters of jitter but for the seed.
json::object amounts_of(const json::object& document) {
  const json::object* const config = object_at(document, "config");
  const json::object* const jitter = config == nullptr ? nullptr : object_at(*config, "jitter");
  json::object amounts = jitter == nullptr ? json::object() : *jitter;
  amounts.erase("seed");
  return amounts;
}

double seed_of(const json::object& document) {
  const json::object* const config = object_at(document, "config");
  const json::object* const jitter = config == nullptr ? nullptr : object_at(*config, "jitter");
  return jitter == nullptr ? 0 : number_at(*jitter, "seed").value_or(0);
}

std::string one_sided_remark(const json::object& a, const json::object& b) {
  const bool a_has = a.contains("jitter"), b_has = b.contains("jitter");
  if (a_has != b_has)
    return fmt::format("Only {} has runs varied by chance (--jitter): what differs may be chance; run the other with as many too",
                       a_has ? "A" : "B");
  const bool is_a_varied = seed_of(a) != 0, is_b_varied = seed_of(b) != 0;
  if (!a_has && is_a_varied != is_b_varied)
    return fmt::format("{} is a run varied by chance (jitter.seed), the other one is not", is_a_varied ? "A" : "B");
  return "";
}

}  // namespace

std::size_t kernel_count(const json::object& statistics) { return sides_of(statistics).size(); }

std::vector<kernel_difference> compare_kernels(const json::object& a, const json::object& b) {
  std::vector<kernel_difference> kernels;
  std::map<std::string, std::vector<std::size_t>> unpaired;
  for (side& each : sides_of(a)) {
    const std::string name = name_of(each);
    unpaired[name].push_back(kernels.size());
    kernels.push_back({name, std::move(each)});
  }
  for (side& each : sides_of(b)) {
    const std::string name = name_of(each);
    std::vector<std::size_t>& places = unpaired[name];
    if (places.empty()) {
      kernels.push_back({name, std::nullopt, std::move(each)});
    } else {
      kernels[places.front()].b = std::move(each);
      places.erase(places.begin());
    }
  }
  for (kernel_difference& each : kernels) compare(each);
  return kernels;
}

std::vector<std::string> remarks_on_chance(const json::object& a, const json::object& b) {
  std::vector<std::string> remarks;
  if (std::string remark = one_sided_remark(a, b); !remark.empty()) remarks.push_back(std::move(remark));
  const bool both = a.contains("jitter") && b.contains("jitter"), none = !a.contains("jitter") && !b.contains("jitter");
  if (both && amounts_of(a) != amounts_of(b))
    remarks.emplace_back("Chance varied A and B by other amounts (parameters of jitter): a part of what differs may come from that");
  if (none && number_at(a, "cycles") != number_at(b, "cycles"))
    remarks.emplace_back(
        "Each is a single run: a difference of a few percent can be chance. Run both with --jitter 8 to see whether it is");
  return remarks;
}

}  // namespace tcsim
