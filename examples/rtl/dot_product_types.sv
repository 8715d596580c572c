// SPDX-License-Identifier: Apache-2.0
// Numbers on their way through a dot-product unit.
package dot_product_types;

  // Exponents of factors, products, addends and sums, unbiased. Those of f32 and of what is aligned to it are the widest.
  typedef logic signed [9:0] exponent_t;

  localparam exponent_t F16_MINIMUM = -14, F32_MINIMUM = -126;  // of normal numbers; subnormals have it too
  localparam int unsigned F16_FRACTION = 10, F32_FRACTION = 23;

  // A factor: f16.
  typedef struct packed {
    logic        negative;
    exponent_t   exponent;
    logic [10:0] significand;  // 10 fraction bits
  } factor_t;

  // An exact product of two factors, not normalised: below 4.
  typedef struct packed {
    logic        negative;
    exponent_t   exponent;
    logic [21:0] significand;  // 20 fraction bits
  } product_t;

  // An addend: f32, or f16 with zeros behind its fraction.
  typedef struct packed {
    logic        negative;
    exponent_t   exponent;
    logic [23:0] significand;  // 23 fraction bits
  } addend_t;

  // Infinities and NaNs among the terms of a sum, which decide its result.
  typedef struct packed {
    logic nan;
    logic positive_infinity;
    logic negative_infinity;
  } specials_t;

  // What is wrong with a unit: for tests that must notice it. Units in use have NO_DEFECT.
  typedef enum logic [3:0] {
    NO_DEFECT,
    STICKY_RESULT_BIT,      // the last bit of a result is always one
    LOSES_ALIGNED_BIT,      // the last bit that the alignment keeps of a product
    ALIGNS_TO_ZEROS,        // zero products take part in the alignment
    LACKS_FLOOR_BINADE,     // small sums are aligned one binade too high
    ROUNDS_TIES_UP,         // f16 results half way between two numbers
    LOSES_CARRY,            // the highest bits of a sum
    TAKES_INFINITY_AS_NAN,
    FORGETS_SIGN            // of products in which both factors are negative
  } defect_t;

  function automatic factor_t factor_of(logic [15:0] bits);
    factor_of.negative    = bits[15];
    factor_of.exponent    = F16_MINIMUM + (bits[14:10] == 0 ? 10'sd0 : exponent_t'({5'd0, bits[14:10]}) - 10'sd1);
    factor_of.significand = {bits[14:10] != 0, bits[9:0]};
  endfunction

  function automatic product_t product_of(factor_t x, factor_t y);
    product_of.negative    = x.negative ^ y.negative;
    product_of.exponent    = x.exponent + y.exponent;
    product_of.significand = 22'(x.significand) * 22'(y.significand);
  endfunction

  function automatic specials_t specials_of_product(logic [15:0] x, logic [15:0] y);
    logic is_special_x, is_special_y, is_nan, is_infinity;
    is_special_x = x[14:10] == '1;
    is_special_y = y[14:10] == '1;
    is_nan       = (is_special_x && (x[9:0] != 0 || y[14:0] == 0)) || (is_special_y && (y[9:0] != 0 || x[14:0] == 0));
    is_infinity  = is_special_x || is_special_y;
    specials_of_product.nan               = is_nan;
    specials_of_product.positive_infinity = is_infinity && x[15] == y[15];
    specials_of_product.negative_infinity = is_infinity && x[15] != y[15];
  endfunction

  function automatic addend_t addend_of(logic [31:0] bits, logic is_f16);
    factor_t half;
    half = factor_of(bits[15:0]);
    if (is_f16) begin
      addend_of = '{negative: half.negative, exponent: half.exponent, significand: {half.significand, 13'd0}};
    end else begin
      addend_of.negative    = bits[31];
      addend_of.exponent    = F32_MINIMUM + (bits[30:23] == 0 ? 10'sd0 : exponent_t'({2'd0, bits[30:23]}) - 10'sd1);
      addend_of.significand = {bits[30:23] != 0, bits[22:0]};
    end
  endfunction

  function automatic specials_t specials_of_addend(logic [31:0] bits, logic is_f16);
    logic negative, is_special, is_nan;
    negative   = is_f16 ? bits[15] : bits[31];
    is_special = is_f16 ? bits[14:10] == '1 : bits[30:23] == '1;
    is_nan     = is_special && (is_f16 ? bits[9:0] != 0 : bits[22:0] != 0);
    specials_of_addend = '{nan: is_nan, positive_infinity: is_special && !negative, negative_infinity: is_special && negative};
  endfunction

  // The result of a sum that is no number. NaN is the canonical one.
  function automatic logic [31:0] special_result(specials_t specials, logic is_f16);
    if (specials.nan || (specials.positive_infinity && specials.negative_infinity)) return is_f16 ? 32'h7fff : 32'h7fffffff;
    return is_f16 ? {16'd0, specials.negative_infinity, 15'h7c00} : {specials.negative_infinity, 31'h7f800000};
  endfunction

endpackage
