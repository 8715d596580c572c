#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/recording/issue_recorder.hpp>
#include <tc/subcore/links/link_binder.hpp>

namespace tc::recording {

/// Makes records of all that happens in the machine that is bound through it: listens to its schedulers, and to what passes over its links,
/// which another binder binds. What somebody else's unit, put in by the other binder, sends and receives is not seen.
class recording_binder final : public subcore::link_binder {
 public:
  /// All three outlive the machine.
  recording_binder(subcore::link_binder& inner, fabric::recorder& records, const fabric::clock_domain& clock);
  ~recording_binder() override;

  using link_binder::bind;

  subcore::issue_observer* observer_of_issue(const std::string& scheduler, unsigned warp_slots) override;

 private:
  subcore::link_binder& inner_;
  fabric::recorder& records_;
  const fabric::clock_domain& clock_;
  std::vector<std::unique_ptr<issue_recorder>> schedulers_;
};

}  // namespace tc::recording
