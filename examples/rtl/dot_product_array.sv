// SPDX-License-Identifier: Apache-2.0
// The dot-product units of a threadgroup, side by side.
module dot_product_array
  import dot_product_types::*;
#(
    parameter int unsigned UNITS           = 4,
    parameter int unsigned L               = 4,
    parameter int unsigned FRACTION_BITS   = 23,
    parameter int unsigned F32_FLOOR       = 5,
    parameter int unsigned F16_FLOOR       = 5,
    parameter int unsigned MULTIPLY_STAGES = 1,
    parameter int unsigned ADDER_STAGES    = 3,
    parameter int unsigned DEFECTIVE       = 0   // 1, for tests: every unit has a defect of its own, the first one none
) (
    input  logic                          clk,
    input  logic                          rst_n,
    input  logic [UNITS-1:0]              in_valid,
    input  logic [UNITS-1:0]              is_f16,
    input  logic [UNITS-1:0][L-1:0][15:0] a,
    input  logic [UNITS-1:0][L-1:0][15:0] b,
    input  logic [UNITS-1:0][31:0]        c,
    output logic [UNITS-1:0]              out_valid,
    output logic [UNITS-1:0][31:0]        d
);

  for (genvar i = 0; i < int'(UNITS); ++i) begin : g_unit
    fused_dot_product #(
        .L, .FRACTION_BITS, .F32_FLOOR, .F16_FLOOR, .MULTIPLY_STAGES, .ADDER_STAGES, .DEFECT(DEFECTIVE != 0 ? defect_t'(i) : NO_DEFECT)
    ) dot_product (
        .clk, .rst_n, .in_valid(in_valid[i]), .is_f16(is_f16[i]), .a(a[i]), .b(b[i]), .c(c[i]), .out_valid(out_valid[i]), .d(d[i])
    );
  end

endmodule
