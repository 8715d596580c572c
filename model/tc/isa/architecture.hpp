#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tc::isa {

/// Instruction-set architectures a trace may name, in the order they appeared.
enum class architecture : std::uint8_t { sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100 };

/// "sm_75" and so on.
std::string_view name(architecture arch);

/// The architecture of that name, nothing if there is none.
std::optional<architecture> find_architecture(std::string_view text);

/// All names, for messages: "sm_70, sm_75, ...".
std::string_view architecture_names();

/// A span of consecutive architectures, both ends included.
struct architecture_range {
  architecture first = architecture::sm_70;
  architecture last = architecture::sm_100;

  constexpr bool contains(architecture arch) const { return first <= arch && arch <= last; }
};

/// "sm_75 and later", "sm_80 to sm_89", for messages.
std::string describe(architecture_range range);

}  // namespace tc::isa
