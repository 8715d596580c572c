// SPDX-License-Identifier: Apache-2.0
#include "special_register.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tc::isa {
namespace {

constexpr std::array special_register_names{
    std::string_view{"SRZ"},
    std::string_view{"SR_TID.X"},
    std::string_view{"SR_TID.Y"},
    std::string_view{"SR_TID.Z"},
    std::string_view{"SR_TID"},
    std::string_view{"SR_NTID"},
    std::string_view{"SR_CTAID.X"},
    std::string_view{"SR_CTAID.Y"},
    std::string_view{"SR_CTAID.Z"},
    std::string_view{"SR_LANEID"},
    std::string_view{"SR_VIRTID"},
    std::string_view{"SR_VIRTUALID"},
    std::string_view{"SR_VIRTCFG"},
    std::string_view{"SR_VIRTUALSMID"},
    std::string_view{"SR_CLOCKLO"},
    std::string_view{"SR_CLOCKHI"},
    std::string_view{"SR_GLOBALTIMERLO"},
    std::string_view{"SR_GLOBALTIMERHI"},
    std::string_view{"SR_EQMASK"},
    std::string_view{"SR_LTMASK"},
    std::string_view{"SR_LEMASK"},
    std::string_view{"SR_GTMASK"},
    std::string_view{"SR_GEMASK"},
    std::string_view{"SR_CgaCtaId"},
    std::string_view{"SR_CLUSTER_CTAID.X"},
    std::string_view{"SR_CLUSTER_CTAID.Y"},
    std::string_view{"SR_CLUSTER_CTAID.Z"},
    std::string_view{"SR_CLUSTERID.X"},
    std::string_view{"SR_CLUSTERID.Y"},
    std::string_view{"SR_CLUSTERID.Z"},
    std::string_view{"SR_CgaSize"},
    std::string_view{"SR_SWINLO"},
    std::string_view{"SR_SWINSZ"},
    std::string_view{"SR_LWINLO"},
    std::string_view{"SR_LWINSZ"},
    std::string_view{"SR_WARPERRORSTATUS"},
    std::string_view{"SR_MACHINE_ID_0"},
    std::string_view{"SR_MACHINE_ID_1"},
    std::string_view{"SR_SMEMSZ"},
    std::string_view{"SR_PM0"},
    std::string_view{"SR_SWINHI"},
    std::string_view{"SR_LWINHI"},
    std::string_view{"SR_LMEMHIOFF"},
};
static_assert(special_register_names.size() == static_cast<std::size_t>(special_register::local_memory_begin) + 1);

}  // namespace

std::optional<special_register> find_special_register(std::string_view text) {
  const auto found = std::find(special_register_names.begin(), special_register_names.end(), text);
  if (found == special_register_names.end()) return std::nullopt;
  return static_cast<special_register>(found - special_register_names.begin());
}

std::string_view name(special_register reg) { return special_register_names.at(static_cast<std::size_t>(reg)); }

}  // namespace tc::isa
