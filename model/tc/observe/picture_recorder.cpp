// SPDX-License-Identifier: Apache-2.0
#include "picture_recorder.hpp"

#include <algorithm>
#include <string_view>

namespace tc::observe {

namespace json = boost::json;

namespace {

using edge = fabric::record_event::edge;

/// The last name of a path.
std::string_view place(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool begins_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

}  // namespace

picture_recorder::picture_recorder(const record_window& window) : window_(window) {}

picture_recorder::part picture_recorder::part_of(const fabric::record_stream& stream) {
  if (stream.number() >= parts_.size()) parts_.resize(stream.number() + 1, part::unknown);
  part& known = parts_[stream.number()];
  if (known != part::unknown) return known;
  const std::string_view type = stream.type().name, name = place(stream.path());
  known = part::none;
  if (type == "instruction" || type == "stall" || type == "resident") known = part::warps;
  if (begins_with(name, "bank_") && (type == "read" || type == "conflict" || type == "write")) known = part::banks;
  if (type == "shared_access") known = part::shared_accesses;
  if (begins_with(name, "chunk_") && type == "access") known = part::tensor_memories;
  return known;
}

void picture_recorder::write(const fabric::record_event& event) {
  switch (part_of(*event.stream)) {
    case part::warps:
      return warps_.write(event);
    case part::banks:
      return banks_.write(event);
    case part::shared_accesses:
      return shared_accesses_.write(event);
    case part::tensor_memories:
      if (event.what == edge::begin && event.cycle < window_.last()) tensor_memories_.begin(event);
      return;
    case part::unknown:
    case part::none:
      return;
  }
}

json::object picture_recorder::json(cycle_t cycles) const {
  const cycle_t first = std::min(window_.first(), cycles);
  const cycle_t last = std::min(window_.last(), cycles);
  const bool cut_off = warps_.is_full() || tensor_memories_.is_full();
  json::object pictures{
      {"window", {{"first", first}, {"last", warps_.is_full() ? std::min(last, warps_.latest() + 1) : last}, {"cut_off", cut_off}}}};
  const json::array warps = warps_.json(last);
  pictures["texts"] = texts_.json();
  if (!warps_.empty()) pictures["warps"] = warps;
  if (!banks_.empty()) pictures["banks"] = banks_.json();
  if (!shared_accesses_.empty()) pictures["shared_accesses"] = shared_accesses_.json();
  if (!tensor_memories_.empty()) pictures["tensor_memories"] = tensor_memories_.json();
  return pictures;
}

}  // namespace tc::observe
