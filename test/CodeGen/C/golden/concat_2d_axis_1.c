/*
 * concat_2d_axis_1.c: model "concat_2d_axis_1", compiled ahead of time by Ingot 0.1.0; see concat_2d_axis_1.h
 *
 * Steps
 *     1  concat_2d_axis_1_output  Concat output
 */
#include "concat_2d_axis_1.h"


#if CONCAT_2D_AXIS_1_API_VERSION != 1
#error "concat_2d_axis_1.h and concat_2d_axis_1.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef CONCAT_2D_AXIS_1_CONSTANT
#define CONCAT_2D_AXIS_1_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef CONCAT_2D_AXIS_1_STEP_BEGIN
#define CONCAT_2D_AXIS_1_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define CONCAT_2D_AXIS_1_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Concat output
 * concat
 * in: f32[2,2], f32[2,2]
 * out: f32[2,4]
 */
static void concat_2d_axis_1_output(const float *restrict in1, const float *restrict in2, float *restrict out)
{
  for (int32_t i = 0; i < 2; ++i) {
    const int32_t at = i * 2;
    const int32_t at_2 = i * 4;
    for (int32_t j = 0; j < 2; ++j) {
      out[at_2 + j] = in1[at + j];
    }
    for (int32_t j_2 = 2; j_2 < 4; ++j_2) {
      out[at_2 + j_2] = in2[at + (j_2 - 2)];
    }
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t concat_2d_axis_1_check(const concat_2d_axis_1_inputs *inputs, const concat_2d_axis_1_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = CONCAT_2D_AXIS_1_OK;
  if (inputs == NULL) {
    status = CONCAT_2D_AXIS_1_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = CONCAT_2D_AXIS_1_NULL_OUTPUTS;
  } else if (inputs->value0 == NULL) {
    status = CONCAT_2D_AXIS_1_NULL_VALUE0;
  } else if (inputs->value1 == NULL) {
    status = CONCAT_2D_AXIS_1_NULL_VALUE1;
  } else if (outputs->output == NULL) {
    status = CONCAT_2D_AXIS_1_NULL_OUTPUT;
  } else {
    /* all arguments are usable */
  }
  (void)workspace;
  (void)workspace_size;
  return status;
}

int32_t concat_2d_axis_1_run(const concat_2d_axis_1_inputs *inputs, const concat_2d_axis_1_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = concat_2d_axis_1_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == CONCAT_2D_AXIS_1_OK) {
    CONCAT_2D_AXIS_1_STEP_BEGIN(1)
    concat_2d_axis_1_output(inputs->value0, inputs->value1, outputs->output);
    CONCAT_2D_AXIS_1_STEP_END(1)
  }
  return status;
}
