// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tc::links {

/// Products of one shape that dot-product units compute at once, each with its operands after those of the one before.
struct product_shape {
  unsigned products = 1;  ///< independent ones
  unsigned rows = 0, columns = 0, k = 0;

  friend bool operator==(const product_shape& x, const product_shape& y) {
    return x.products == y.products && x.rows == y.rows && x.columns == y.columns && x.k == y.k;
  }
};

}  // namespace tc::links
