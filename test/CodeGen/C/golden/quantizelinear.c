/*
 * quantizelinear.c: model "quantizelinear", compiled ahead of time by Ingot 0.1.0; see quantizelinear.h
 *
 * Memory map of the workspace
 *   bytes                    live             buffer
 *   0 .. 3                   step 1 to 2      y
 *
 * Steps
 *     1  quantizelinear_y  QuantizeLinear y
 *     2  quantizelinear_y_2  QuantizeLinear y
 */
#include "quantizelinear.h"

#include <math.h>

#if QUANTIZELINEAR_API_VERSION != 1
#error "quantizelinear.h and quantizelinear.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef QUANTIZELINEAR_CONSTANT
#define QUANTIZELINEAR_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef QUANTIZELINEAR_STEP_BEGIN
#define QUANTIZELINEAR_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define QUANTIZELINEAR_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * QuantizeLinear y
 * cast
 * in: ui8[]
 * out: f32[]
 */
static void quantizelinear_y(const int8_t *restrict in, float *restrict out)
{
  out[0] = (float)(uint8_t)in[0];
}

/* ---- Step 2 ------------------------------------------------------------------------------- */

/*
 * QuantizeLinear y
 * div, round, add, max, min, cast
 * in: f32[6], f32[], f32[]
 * out: ui8[6]
 */
static void quantizelinear_y_2(const float *restrict in1, const float *restrict in2, const float *restrict in3, int8_t *restrict out)
{
  for (int32_t i = 0; i < 6; ++i) {
    const float x = rintf(in1[i] / in2[0]) + in3[0];
    const float x_2 = (0.0f > x) ? 0.0f : x;
    const float x_3 = (255.0f < x_2) ? 255.0f : x_2;
    const float x_4 = ((x_3 != x_3) || (x_3 != x_3)) ? 0.0f : x_3;
    const float x_5 = (0.0f > x_4) ? 0.0f : x_4;
    out[i] = (int8_t)(uint8_t)((255.0f < x_5) ? 255.0f : x_5);
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t quantizelinear_check(const quantizelinear_inputs *inputs, const quantizelinear_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = QUANTIZELINEAR_OK;
  if (inputs == NULL) {
    status = QUANTIZELINEAR_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = QUANTIZELINEAR_NULL_OUTPUTS;
  } else if (inputs->x == NULL) {
    status = QUANTIZELINEAR_NULL_X;
  } else if (inputs->y_scale == NULL) {
    status = QUANTIZELINEAR_NULL_Y_SCALE;
  } else if (inputs->y_zero_point == NULL) {
    status = QUANTIZELINEAR_NULL_Y_ZERO_POINT;
  } else if (outputs->y == NULL) {
    status = QUANTIZELINEAR_NULL_Y;
  } else if (workspace == NULL) {
    status = QUANTIZELINEAR_WORKSPACE_NULL;
  } else if (workspace_size < QUANTIZELINEAR_WORKSPACE_SIZE) {
    status = QUANTIZELINEAR_WORKSPACE_TOO_SMALL;
  } else if (((uintptr_t)workspace % QUANTIZELINEAR_WORKSPACE_ALIGN) != 0u) {
    status = QUANTIZELINEAR_WORKSPACE_MISALIGNED;
  } else {
    /* all arguments are usable */
  }
  return status;
}

int32_t quantizelinear_run(const quantizelinear_inputs *inputs, const quantizelinear_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = quantizelinear_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == QUANTIZELINEAR_OK) {
    float *const y = (float *)(void *)((unsigned char *)workspace + 0);
    QUANTIZELINEAR_STEP_BEGIN(1)
    quantizelinear_y((const int8_t *)inputs->y_zero_point, y);
    QUANTIZELINEAR_STEP_END(1)
    QUANTIZELINEAR_STEP_BEGIN(2)
    quantizelinear_y_2(inputs->x, inputs->y_scale, y, (int8_t *)outputs->y);
    QUANTIZELINEAR_STEP_END(2)
  }
  return status;
}
