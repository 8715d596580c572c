// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <tc/trace/step.hpp>

namespace tc::trace {

struct cta_entry;

/// Steps of one warp that are made when they are wanted.
class made_steps {
 public:
  virtual ~made_steps() = default;
  /// Makes the next step, but for `code`; false, and `s` unchanged, at the end.
  virtual bool next(step& s) = 0;

 protected:
  made_steps() = default;
  made_steps(const made_steps&) = default;
  made_steps& operator=(const made_steps&) = default;
};

/// Knows what the warps of a kernel execute, so that no step of them is stored.
class step_maker {
 public:
  virtual ~step_maker() = default;
  /// The steps of the `warp`th warp of a CTA; the maker must outlive them.
  virtual std::unique_ptr<made_steps> play(const cta_entry& cta, unsigned warp) const = 0;

 protected:
  step_maker() = default;
  step_maker(const step_maker&) = default;
  step_maker& operator=(const step_maker&) = default;
};

}  // namespace tc::trace
