// SPDX-License-Identifier: Apache-2.0
// One element of D = A x B + C: the sum of L products of f16 and an addend, in one step, and not as IEEE 754 has it (T-FDPA of MMA-Sim,
// arXiv 2511.10909). Products are exact; all terms are aligned to the largest exponent among them, truncated to FRACTION_BITS bits below
// it, added without loss, and rounded once: toward zero into f32, to nearest even into f16.
//
// Terms that are zero do not take part in the alignment. However small all others are, they are aligned to at least the smallest normal
// exponent of the result minus a floor.
//
// A new operation may come in each cycle. Factors are kept in a register first, in the cycle that the model calls the beat; MULTIPLY_STAGES
// and ADDER_STAGES registers follow. The addend enters with the adders, MULTIPLY_STAGES + 1 cycles after the factors: so a longer sum, whose
// parts are operations that have the result of the part before as addend, waits for nothing but the adders.
module fused_dot_product
  import dot_product_types::*;
#(
    parameter int unsigned L               = 4,
    parameter int unsigned FRACTION_BITS   = 23,  // 23 or more
    parameter int unsigned F32_FLOOR       = 5,
    parameter int unsigned F16_FLOOR       = 5,
    parameter int unsigned MULTIPLY_STAGES = 1,   // 1 or more
    parameter int unsigned ADDER_STAGES    = 3,   // 1 or more
    parameter defect_t     DEFECT          = NO_DEFECT
) (
    input  logic               clk,
    input  logic               rst_n,     // forgets all operations
    input  logic               in_valid,
    input  logic               is_f16,    // addend and result; else f32
    input  logic [L-1:0][15:0] a,
    input  logic [L-1:0][15:0] b,
    input  logic [31:0]        c,         // of the operation that came MULTIPLY_STAGES + 1 cycles ago; f16 in the low half
    output logic               out_valid,
    output logic [31:0]        d          // 1 + MULTIPLY_STAGES + ADDER_STAGES cycles after the factors; f16 in the low half
);

  localparam int unsigned STAGES    = 1 + MULTIPLY_STAGES + ADDER_STAGES;
  localparam int unsigned TERM_BITS = FRACTION_BITS + 2;          // products are below 4
  localparam int unsigned SUM_BITS  = TERM_BITS + $clog2(L + 1);  // magnitude
  typedef logic signed [TERM_BITS:0] term_t;
  typedef logic signed [SUM_BITS:0] sum_t;

  // ---- the operations that are under way

  logic [STAGES-1:0] valid;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) valid <= '0;
    else valid <= {valid[STAGES-2:0], in_valid};
  end

  assign out_valid = valid[STAGES-1];

  // ---- factors, and their products

  typedef struct packed {
    product_t [L-1:0] products;
    specials_t specials;
    logic is_f16;
  } multiplied_t;

  logic [L-1:0][15:0] a_kept, b_kept;
  logic is_f16_kept;
  multiplied_t multiplied, multiplied_kept;

  always_ff @(posedge clk) begin
    a_kept      <= a;
    b_kept      <= b;
    is_f16_kept <= is_f16;
  end

  always_comb begin
    multiplied.specials = '0;
    for (int i = 0; i < int'(L); ++i) begin
      multiplied.products[i] = product_of(factor_of(a_kept[i]), factor_of(b_kept[i]));
      multiplied.specials |= specials_of_product(a_kept[i], b_kept[i]);
      if (DEFECT == FORGETS_SIGN && a_kept[i][15] && b_kept[i][15]) multiplied.products[i].negative = 1'b1;
    end
    multiplied.is_f16 = is_f16_kept;
  end

  pipeline #(.WIDTH($bits(multiplied_t)), .STAGES(MULTIPLY_STAGES)) multipliers (.clk, .in(multiplied), .out(multiplied_kept));

  // ---- alignment

  typedef struct packed {
    term_t [L:0] terms;      // multiples of 2^(largest - FRACTION_BITS)
    exponent_t   largest;
    specials_t   specials;
    logic        is_f16;
  } aligned_t;

  aligned_t aligned, aligned_kept;
  addend_t addend;

  // What falls off behind the last bit is lost.
  function automatic term_t align(logic negative, logic [TERM_BITS-1:0] magnitude, exponent_t distance);
    logic [TERM_BITS-1:0] kept;
    kept = magnitude >> $unsigned(distance);
    return negative ? -term_t'({1'b0, kept}) : term_t'({1'b0, kept});
  endfunction

  always_comb begin
    addend = addend_of(c, multiplied_kept.is_f16);
    aligned.is_f16   = multiplied_kept.is_f16;
    aligned.specials = multiplied_kept.specials | specials_of_addend(c, multiplied_kept.is_f16);

    aligned.largest = multiplied_kept.is_f16 ? F16_MINIMUM - exponent_t'(F16_FLOOR) : F32_MINIMUM - exponent_t'(F32_FLOOR);
    if (DEFECT == LACKS_FLOOR_BINADE) aligned.largest += 10'sd1;
    if (addend.significand != 0 && addend.exponent > aligned.largest) aligned.largest = addend.exponent;
    for (int i = 0; i < int'(L); ++i) begin
      if ((multiplied_kept.products[i].significand != 0 || DEFECT == ALIGNS_TO_ZEROS) &&
          multiplied_kept.products[i].exponent > aligned.largest)
        aligned.largest = multiplied_kept.products[i].exponent;
    end

    aligned.terms[L] = align(addend.negative, TERM_BITS'(addend.significand) << (FRACTION_BITS - F32_FRACTION),
                             aligned.largest - addend.exponent);
    for (int i = 0; i < int'(L); ++i) begin
      aligned.terms[i] = align(multiplied_kept.products[i].negative,
                               TERM_BITS'(multiplied_kept.products[i].significand) << (FRACTION_BITS - 2 * F16_FRACTION),
                               aligned.largest - multiplied_kept.products[i].exponent);
      if (DEFECT == LOSES_ALIGNED_BIT) aligned.terms[i][0] = 1'b0;
    end
  end

  if (ADDER_STAGES >= 2) begin : g_align_register
    always_ff @(posedge clk) aligned_kept <= aligned;
  end else begin : g_align_wire
    assign aligned_kept = aligned;
  end

  // ---- sum

  typedef struct packed {
    sum_t      sum;
    exponent_t largest;
    specials_t specials;
    logic      is_f16;
  } summed_t;

  summed_t summed, summed_kept;

  always_comb begin
    summed.sum = '0;
    for (int i = 0; i <= int'(L); ++i) summed.sum += sum_t'($signed(aligned_kept.terms[i]));
    if (DEFECT == LOSES_CARRY) summed.sum = sum_t'($signed(summed.sum[TERM_BITS:0]));
    summed.largest  = aligned_kept.largest;
    summed.specials = aligned_kept.specials;
    summed.is_f16   = aligned_kept.is_f16;
  end

  if (ADDER_STAGES >= 3) begin : g_sum_register
    always_ff @(posedge clk) summed_kept <= summed;
  end else begin : g_sum_wire
    assign summed_kept = summed;
  end

  // ---- normalisation and rounding

  localparam int unsigned ROUND_STAGES = ADDER_STAGES >= 3 ? ADDER_STAGES - 2 : 1;
  localparam int unsigned WIDE_BITS    = SUM_BITS + F32_FRACTION + 1;

  function automatic logic [31:0] round(sum_t sum, exponent_t largest, logic f16);
    logic [SUM_BITS-1:0] magnitude;
    exponent_t first_one, hidden_bit;  // positions in the magnitude
    exponent_t minimum, binade;        // binades count from the minimum
    logic [5:0] shift;
    logic [WIDE_BITS-1:0] wide, shifted;  // with room for a shift to the left, and a bit behind the last one
    logic rounds_up;
    logic [32:0] pattern;

    magnitude = SUM_BITS'(sum < 0 ? -sum : sum);
    first_one = '0;
    for (int i = 0; i < int'(SUM_BITS); ++i) if (magnitude[i]) first_one = exponent_t'(i);

    // Subnormal results have their hidden bit, which is zero then, where the smallest normal number has it.
    minimum    = f16 ? F16_MINIMUM : F32_MINIMUM;
    hidden_bit = minimum - largest + exponent_t'(FRACTION_BITS);
    if (first_one > hidden_bit) hidden_bit = first_one;
    binade     = largest - exponent_t'(FRACTION_BITS) + hidden_bit - minimum;

    wide      = {magnitude, {(F32_FRACTION + 1) {1'b0}}};
    shift     = 6'(hidden_bit + (f16 ? exponent_t'(F32_FRACTION - F16_FRACTION) : 10'sd0));
    shifted   = wide >> shift;
    rounds_up = f16 && shifted[0] && (shifted[1] || (shifted << shift) != wide || DEFECT == ROUNDS_TIES_UP);

    // The hidden bit of a normal number adds one to the exponent field, and so does a carry out of the rounding.
    pattern = 33'(shifted[F32_FRACTION+1:1]) + 33'(rounds_up);
    if (f16) pattern += 33'(binade) << F16_FRACTION;
    else pattern += 33'(binade) << F32_FRACTION;
    if (f16 && pattern > 33'h7c00) pattern = 33'h7c00;
    if (!f16 && pattern > 33'h7f800000) pattern = 33'h7f800000;

    if (magnitude == 0 || pattern == 0) return '0;  // never negative
    if (DEFECT == STICKY_RESULT_BIT) pattern[0] = 1'b1;
    return f16 ? {16'd0, sum < 0, pattern[14:0]} : {sum < 0, pattern[30:0]};
  endfunction

  logic [31:0] rounded;

  always_comb begin
    rounded = round(summed_kept.sum, summed_kept.largest, summed_kept.is_f16);
    if (summed_kept.specials != '0) rounded = special_result(summed_kept.specials, summed_kept.is_f16);
    if (DEFECT == TAKES_INFINITY_AS_NAN && summed_kept.specials != '0) rounded = summed_kept.is_f16 ? 32'h7fff : 32'h7fffffff;
  end

  pipeline #(.WIDTH(32), .STAGES(ROUND_STAGES)) rounders (.clk, .in(rounded), .out(d));

endmodule
