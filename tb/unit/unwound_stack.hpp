#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TC_HAS_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TC_HAS_ADDRESS_SANITIZER
#endif
#endif

#ifdef TC_HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace tc {

/// To be called where an exception that left sc_start() has been caught. SystemC 2.3.4 tells the address sanitizer of its threads' stacks,
/// but not of the one that sc_main runs on: what an exception unwinds there stays marked, and whoever uses those bytes next seems to be
/// wrong.
inline void forget_unwound_stack() {
#ifdef TC_HAS_ADDRESS_SANITIZER
  constexpr std::size_t bytes = 1u << 16;  // below this frame
  auto* const top = static_cast<char*>(__builtin_frame_address(0));
  __asan_unpoison_memory_region(top - bytes, bytes);
#endif
}

}  // namespace tc
