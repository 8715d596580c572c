// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <tc/config/machine.hpp>

namespace tc::accounting {

/// A statistic of some objects, times a number that the configuration gives.
struct law_term {
  using factor = double (*)(const config::machine&);

  std::string_view object;     ///< how the paths of its objects end; see ends_in(). Empty: the cycles of the run
  std::string_view statistic;  ///< its name; of one that is split up, each part counts
  factor times = nullptr;      ///< null: once
};

/// Of what the objects are, over which the terms of a law are added up: each by itself, or those of a part of the machine together.
enum class law_scope { object, sub_core, sm, gpu };

/// Something that holds in every run of every machine: one sum of statistics is at most another, or equals it. A law does
/// not apply where nothing of a side is counted: its units were not built, or others stand in their place.
struct law {
  enum class relation { at_most, equals };

  std::string_view name;  ///< a sentence for people, about the machine
  law_scope scope = law_scope::gpu;
  std::vector<law_term> left;
  relation is = relation::at_most;
  std::vector<law_term> right;
  bool holds_in_flight = false;  ///< also where a run was cut off with transactions on their way
  /// By how much the left side may be larger: what is taken ahead when the run ends. Null: not at all.
  law_term::factor slack = nullptr;
};

/// Cycles for which one instruction may have a unit, at most: an instruction leaves its unit before the unit can take another, so that the
/// last one of a run may keep it beyond the end.
double longest_occupation(const config::machine& machine);

/// All of them, but for those that no statistics tell (run_laws.hpp).
const std::vector<law>& laws();

}  // namespace tc::accounting
