// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/circular_buffer.hpp>

namespace tc::fabric {

/// A queue in memory that it keeps, unlike a std::deque, which asks for some every few elements: see make_room().
template <class T>
using growing_queue = boost::circular_buffer<T>;

/// Behind this, there is room for one more. Without it a full queue would lose its first.
template <class T>
void make_room(growing_queue<T>& queue) {
  if (queue.full()) queue.set_capacity(2 * queue.capacity() + 1);
}

}  // namespace tc::fabric
