#include "recording_binder.hpp"

namespace tc::recording {

recording_binder::recording_binder(subcore::link_binder& inner, fabric::recorder& records, const fabric::clock_domain& clock)
    : inner_(inner), records_(records), clock_(clock) {}

recording_binder::~recording_binder() = default;

subcore::issue_observer* recording_binder::observer_of_issue(const std::string& scheduler, unsigned warp_slots) {
  return schedulers_.emplace_back(std::make_unique<issue_recorder>(records_, scheduler, warp_slots)).get();
}

}  // namespace tc::recording
