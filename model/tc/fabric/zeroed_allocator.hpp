// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tc::fabric {

/// Gives memory whose bytes are zero, and takes that for the value of new elements: large arrays take no memory where nobody has touched
/// them, as the operating system gives zeros page by page when they are first used.
template <class T>
class zeroed_allocator {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t), "zero bytes must be a value");

 public:
  using value_type = T;

  zeroed_allocator() = default;
  template <class Other>
  zeroed_allocator(const zeroed_allocator<Other>&) {}

  /// Where there is none, does as operator new does: asks the program's handler for as long as it has one.
  T* allocate(std::size_t count) {
    void* memory = nullptr;
    while ((memory = std::calloc(count, sizeof(T))) == nullptr) {
      const std::new_handler handler = std::get_new_handler();
      if (handler == nullptr) throw std::bad_alloc();
      handler();
    }
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  /// A new element is zero already.
  void construct(T*) {}
  template <class... Arguments>
  void construct(T* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) T(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const zeroed_allocator&, const zeroed_allocator&) { return true; }
  friend bool operator!=(const zeroed_allocator&, const zeroed_allocator&) { return false; }
};

/// A vector, constructed with a size, of elements whose initial value is all zero bytes.
template <class T>
using zeroed_vector = std::vector<T, zeroed_allocator<T>>;

}  // namespace tc::fabric
