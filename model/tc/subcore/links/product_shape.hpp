#pragma once

namespace tc::subcore {

/// Products of one shape that dot-product units compute at once, each with its operands after those of the one before.
struct product_shape {
  unsigned products = 1;  ///< independent ones
  unsigned rows = 0, columns = 0, k = 0;
};

}  // namespace tc::subcore
