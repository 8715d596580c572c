// SPDX-License-Identifier: Apache-2.0
// The same program, compiled with -G: functions are sections of their own, and nothing is optimised.
#include "divergent_loops.cu"
