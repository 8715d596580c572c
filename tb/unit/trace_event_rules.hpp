// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>

/// What breaks the rules of the trace-event format ("Trace Event Format", Chromium project) in a document of the object form, as far as
/// our timelines use it; empty if nothing does. Fields that the phase of an event wants, names of processes and threads; slices of a
/// thread nest or are disjoint; the two ends of each flow lie in slices, the first no later than the second.
std::vector<std::string> broken_trace_event_rules(const boost::json::value& document);
