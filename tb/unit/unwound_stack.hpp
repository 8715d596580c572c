// SPDX-License-Identifier: Apache-2.0
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
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
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

/// To be called at the end of sc_main. SystemC 2.3.4 tells the address sanitizer when a thread of its own begins to run, but not when
/// sc_main goes on: the search for leaks would look through the stack of the thread that ran last, which is gone.
inline void return_to_first_stack() {
#ifdef TC_HAS_ADDRESS_SANITIZER
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &bottom, &bytes);
  pthread_attr_destroy(&attributes);
  void* kept = nullptr;
  __sanitizer_start_switch_fiber(&kept, bottom, bytes);
  __sanitizer_finish_switch_fiber(kept, nullptr, nullptr);
#endif
}

}  // namespace tc
