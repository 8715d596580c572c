// SPDX-License-Identifier: Apache-2.0
// Registers behind each other. Where a synthesis tool moves registers, it spreads the logic in front of them over all.
module pipeline #(
    parameter int unsigned WIDTH  = 1,
    parameter int unsigned STAGES = 1
) (
    input  logic             clk,
    input  logic [WIDTH-1:0] in,
    output logic [WIDTH-1:0] out
);

  logic [STAGES-1:0][WIDTH-1:0] stage;

  always_ff @(posedge clk) begin
    stage[0] <= in;
    for (int unsigned i = 1; i < STAGES; ++i) stage[i] <= stage[i-1];
  end

  assign out = stage[STAGES-1];

endmodule
