/*
 * basic_conv_with_padding.c: model "basic_conv_with_padding", compiled ahead of time by Ingot 0.1.0; see basic_conv_with_padding.h
 *
 * Memory map of the workspace
 *   bytes                    live             buffer
 *   0 .. 195                 step 1 to 3      y
 *   256 .. 291               step 2 to 3      y_2
 *
 * Steps
 *     1  basic_conv_with_padding_y  Conv y
 *     2  basic_conv_with_padding_y_2  Conv y
 *     3  basic_conv_with_padding_y_3  Conv y
 */
#include "basic_conv_with_padding.h"


#if BASIC_CONV_WITH_PADDING_API_VERSION != 1
#error "basic_conv_with_padding.h and basic_conv_with_padding.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef BASIC_CONV_WITH_PADDING_CONSTANT
#define BASIC_CONV_WITH_PADDING_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef BASIC_CONV_WITH_PADDING_STEP_BEGIN
#define BASIC_CONV_WITH_PADDING_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define BASIC_CONV_WITH_PADDING_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Conv y
 * pad
 * in: f32[1,5,5,1]
 * out: f32[1,7,7,1]
 */
static void basic_conv_with_padding_y(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 7; ++i) {
    const int32_t at = i - 1;
    const int x = (at >= 0) && (at < 5);
    const int32_t at_2 = i * 7;
    for (int32_t j = 0; j < 7; ++j) {
      const int32_t at_3 = j - 1;
      float x_2;
      if ((x && (at_3 >= 0)) && (at_3 < 5)) {
        x_2 = in[(at * 5) + at_3];
      } else {
        x_2 = 0.0f;
      }
      out[at_2 + j] = x_2;
    }
  }
}

/* ---- Step 2 ------------------------------------------------------------------------------- */

/*
 * Conv y
 * pack
 * in: f32[9,1]
 * out: f32[1,9,1]
 */
static void basic_conv_with_padding_y_2(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 9; ++i) {
    out[i] = in[i];
  }
}

/* ---- Step 3 ------------------------------------------------------------------------------- */

/*
 * Conv y
 * packed_conv
 * in: f32[1,7,7,1], f32[1,9,1]
 * out: f32[1,5,5,1]
 */
static void basic_conv_with_padding_y_3(const float *restrict in1, const float *restrict in2, float *restrict out)
{
  for (int32_t i = 0; i < 5; ++i) {
    float acc = 0.0f;
    float acc_2 = 0.0f;
    float acc_3 = 0.0f;
    float acc_4 = 0.0f;
    float acc_5 = 0.0f;
    for (int32_t j = 0; j < 3; ++j) {
      const int32_t at = (i + j) * 7;
      const int32_t at_2 = j * 3;
      float acc_6 = acc;
      float acc_7 = acc_2;
      float acc_8 = acc_3;
      float acc_9 = acc_4;
      float acc_10 = acc_5;
      for (int32_t k = 0; k < 3; ++k) {
        const int32_t at_3 = at + k;
        const float in2_x = in2[at_2 + k];
        acc_6 = in1[at_3] * in2_x + acc_6;
        acc_7 = in1[at_3 + 1] * in2_x + acc_7;
        acc_8 = in1[at_3 + 2] * in2_x + acc_8;
        acc_9 = in1[at_3 + 3] * in2_x + acc_9;
        acc_10 = in1[at_3 + 4] * in2_x + acc_10;
      }
      acc = acc_6;
      acc_2 = acc_7;
      acc_3 = acc_8;
      acc_4 = acc_9;
      acc_5 = acc_10;
    }
    const int32_t at_4 = i * 5;
    out[at_4] = acc;
    out[at_4 + 1] = acc_2;
    out[at_4 + 2] = acc_3;
    out[at_4 + 3] = acc_4;
    out[at_4 + 4] = acc_5;
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t basic_conv_with_padding_check(const basic_conv_with_padding_inputs *inputs, const basic_conv_with_padding_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = BASIC_CONV_WITH_PADDING_OK;
  if (inputs == NULL) {
    status = BASIC_CONV_WITH_PADDING_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = BASIC_CONV_WITH_PADDING_NULL_OUTPUTS;
  } else if (inputs->x == NULL) {
    status = BASIC_CONV_WITH_PADDING_NULL_X;
  } else if (inputs->W == NULL) {
    status = BASIC_CONV_WITH_PADDING_NULL_W;
  } else if (outputs->y == NULL) {
    status = BASIC_CONV_WITH_PADDING_NULL_Y;
  } else if (workspace == NULL) {
    status = BASIC_CONV_WITH_PADDING_WORKSPACE_NULL;
  } else if (workspace_size < BASIC_CONV_WITH_PADDING_WORKSPACE_SIZE) {
    status = BASIC_CONV_WITH_PADDING_WORKSPACE_TOO_SMALL;
  } else if (((uintptr_t)workspace % BASIC_CONV_WITH_PADDING_WORKSPACE_ALIGN) != 0u) {
    status = BASIC_CONV_WITH_PADDING_WORKSPACE_MISALIGNED;
  } else {
    /* all arguments are usable */
  }
  return status;
}

int32_t basic_conv_with_padding_run(const basic_conv_with_padding_inputs *inputs, const basic_conv_with_padding_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = basic_conv_with_padding_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == BASIC_CONV_WITH_PADDING_OK) {
    float *const y = (float *)(void *)((unsigned char *)workspace + 0);
    BASIC_CONV_WITH_PADDING_STEP_BEGIN(1)
    basic_conv_with_padding_y(inputs->x, y);
    BASIC_CONV_WITH_PADDING_STEP_END(1)
    float *const y_2 = (float *)(void *)((unsigned char *)workspace + 256);
    BASIC_CONV_WITH_PADDING_STEP_BEGIN(2)
    basic_conv_with_padding_y_2(inputs->W, y_2);
    BASIC_CONV_WITH_PADDING_STEP_END(2)
    BASIC_CONV_WITH_PADDING_STEP_BEGIN(3)
    basic_conv_with_padding_y_3(y, y_2, outputs->y);
    BASIC_CONV_WITH_PADDING_STEP_END(3)
  }
  return status;
}
