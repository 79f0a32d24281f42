/*
 * softmax_axis_1.c: model "softmax_axis_1", compiled ahead of time by Ingot 0.1.0; see softmax_axis_1.h
 *
 * Memory map of the workspace
 *   bytes                    live             buffer
 *   256 .. 315               step 1 to 2      y
 *   0 .. 239                 step 2 to 4      y_2
 *   256 .. 315               step 3 to 4      y_3
 *
 * Steps
 *     1  softmax_axis_1_y  Softmax y
 *     2  softmax_axis_1_y_2  Softmax y
 *     3  softmax_axis_1_y_3  Softmax y
 *     4  softmax_axis_1_y_4  Softmax y
 */
#include "softmax_axis_1.h"

#include <math.h>

#if SOFTMAX_AXIS_1_API_VERSION != 1
#error "softmax_axis_1.h and softmax_axis_1.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef SOFTMAX_AXIS_1_CONSTANT
#define SOFTMAX_AXIS_1_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef SOFTMAX_AXIS_1_STEP_BEGIN
#define SOFTMAX_AXIS_1_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define SOFTMAX_AXIS_1_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* Vectors never cross the boundary of this file. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Vectors of GNU C; those for memory are not aligned and may alias. */
typedef float softmax_axis_1_f32x4 __attribute__((vector_size(16)));
typedef int32_t softmax_axis_1_i32x4 __attribute__((vector_size(16)));
typedef float softmax_axis_1_f32x4_memory __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t softmax_axis_1_u32x4 __attribute__((vector_size(16)));

static inline softmax_axis_1_f32x4 softmax_axis_1_splat_f32x4(float x)
{
  return (softmax_axis_1_f32x4){x, x, x, x};
}

static inline softmax_axis_1_f32x4 softmax_axis_1_select_f32x4(softmax_axis_1_i32x4 m, softmax_axis_1_f32x4 x, softmax_axis_1_f32x4 y)
{
  return (softmax_axis_1_f32x4)((m & (softmax_axis_1_i32x4)x) | (~m & (softmax_axis_1_i32x4)y));
}

static inline softmax_axis_1_f32x4 softmax_axis_1_maximum_f32x4(softmax_axis_1_f32x4 x, softmax_axis_1_f32x4 y)
{
  return softmax_axis_1_select_f32x4((x > y) | (x != x), x, y);
}

static inline softmax_axis_1_f32x4 softmax_axis_1_min_f32x4(softmax_axis_1_f32x4 x, softmax_axis_1_f32x4 y)
{
  return softmax_axis_1_select_f32x4(x < y, x, y);
}

static inline softmax_axis_1_f32x4 softmax_axis_1_max_f32x4(softmax_axis_1_f32x4 x, softmax_axis_1_f32x4 y)
{
  return softmax_axis_1_select_f32x4(x > y, x, y);
}

static inline softmax_axis_1_i32x4 softmax_axis_1_splat_i32x4(int32_t x)
{
  return (softmax_axis_1_i32x4){x, x, x, x};
}

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Softmax y
 * reduce
 * in: f32[3,4,5]
 * out: f32[3,1,5]
 */
static void softmax_axis_1_y(const float *restrict in, float *restrict out)
{
  const softmax_axis_1_f32x4 all = softmax_axis_1_splat_f32x4(-INFINITY);
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t at = i * 20;
    softmax_axis_1_f32x4 acc = all;
    for (int32_t j = 0; j < 4; ++j) {
      acc = softmax_axis_1_maximum_f32x4(acc, *(const softmax_axis_1_f32x4_memory *)&in[at + (j * 5)]);
    }
    const int32_t at_2 = i * 5;
    *(softmax_axis_1_f32x4_memory *)&out[at_2] = acc;
    softmax_axis_1_f32x4 acc_2 = all;
    for (int32_t j_2 = 0; j_2 < 4; ++j_2) {
      acc_2 = softmax_axis_1_maximum_f32x4(acc_2, *(const softmax_axis_1_f32x4_memory *)&in[(at + (j_2 * 5)) + 1]);
    }
    *(softmax_axis_1_f32x4_memory *)&out[at_2 + 1] = acc_2;
  }
}

/* ---- Step 2 ------------------------------------------------------------------------------- */

/*
 * Softmax y
 * sub, exp
 * in: f32[3,4,5], f32[3,1,5]
 * out: f32[3,4,5]
 */
static void softmax_axis_1_y_2(const float *restrict in1, const float *restrict in2, float *restrict out)
{
  const softmax_axis_1_i32x4 v = (softmax_axis_1_i32x4)softmax_axis_1_splat_f32x4(12582912.0f);
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t at = i * 20;
    const int32_t at_2 = i * 5;
    const int32_t at_3 = at_2 + 1;
    for (int32_t j = 0; j < 4; ++j) {
      const int32_t at_4 = at + (j * 5);
      const softmax_axis_1_f32x4 v_2 = softmax_axis_1_min_f32x4(softmax_axis_1_splat_f32x4(89.0f), softmax_axis_1_max_f32x4(softmax_axis_1_splat_f32x4(-104.0f), (*(const softmax_axis_1_f32x4_memory *)&in1[at_4]) - (*(const softmax_axis_1_f32x4_memory *)&in2[at_2])));
      const softmax_axis_1_f32x4 v_3 = v_2 * softmax_axis_1_splat_f32x4(1.442695f) + softmax_axis_1_splat_f32x4(12582912.0f);
      const softmax_axis_1_f32x4 v_4 = v_3 - softmax_axis_1_splat_f32x4(12582912.0f);
      const softmax_axis_1_i32x4 v_5 = (softmax_axis_1_i32x4)((softmax_axis_1_u32x4)((softmax_axis_1_i32x4)v_3) - (softmax_axis_1_u32x4)v);
      const softmax_axis_1_f32x4 v_6 = v_4 * softmax_axis_1_splat_f32x4(0.00021219444f) + (v_4 * softmax_axis_1_splat_f32x4(-0.6933594f) + v_2);
      const softmax_axis_1_f32x4 v_7 = ((v_6 * v_6) * (((((softmax_axis_1_splat_f32x4(0.00019875691f) * v_6 + softmax_axis_1_splat_f32x4(0.0013981999f)) * v_6 + softmax_axis_1_splat_f32x4(0.008333452f)) * v_6 + softmax_axis_1_splat_f32x4(0.041665796f)) * v_6 + softmax_axis_1_splat_f32x4(0.16666666f)) * v_6 + softmax_axis_1_splat_f32x4(0.5f)) + v_6) + softmax_axis_1_splat_f32x4(1.0f);
      const softmax_axis_1_i32x4 v_8 = v_5 >> softmax_axis_1_splat_i32x4(1);
      const softmax_axis_1_f32x4 v_9 = v_7 * (softmax_axis_1_f32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)v_8 + (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(127)) << (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(23));
      const softmax_axis_1_f32x4 v_10 = v_9 * (softmax_axis_1_f32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)v_5 - (softmax_axis_1_u32x4)v_8) + (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(127)) << (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(23));
      *(softmax_axis_1_f32x4_memory *)&out[at_4] = v_10;
      const int32_t at_5 = at_4 + 1;
      const softmax_axis_1_f32x4 v_11 = softmax_axis_1_min_f32x4(softmax_axis_1_splat_f32x4(89.0f), softmax_axis_1_max_f32x4(softmax_axis_1_splat_f32x4(-104.0f), (*(const softmax_axis_1_f32x4_memory *)&in1[at_5]) - (*(const softmax_axis_1_f32x4_memory *)&in2[at_3])));
      const softmax_axis_1_f32x4 v_12 = v_11 * softmax_axis_1_splat_f32x4(1.442695f) + softmax_axis_1_splat_f32x4(12582912.0f);
      const softmax_axis_1_f32x4 v_13 = v_12 - softmax_axis_1_splat_f32x4(12582912.0f);
      const softmax_axis_1_i32x4 v_14 = (softmax_axis_1_i32x4)((softmax_axis_1_u32x4)((softmax_axis_1_i32x4)v_12) - (softmax_axis_1_u32x4)v);
      const softmax_axis_1_f32x4 v_15 = v_13 * softmax_axis_1_splat_f32x4(0.00021219444f) + (v_13 * softmax_axis_1_splat_f32x4(-0.6933594f) + v_11);
      const softmax_axis_1_f32x4 v_16 = ((v_15 * v_15) * (((((softmax_axis_1_splat_f32x4(0.00019875691f) * v_15 + softmax_axis_1_splat_f32x4(0.0013981999f)) * v_15 + softmax_axis_1_splat_f32x4(0.008333452f)) * v_15 + softmax_axis_1_splat_f32x4(0.041665796f)) * v_15 + softmax_axis_1_splat_f32x4(0.16666666f)) * v_15 + softmax_axis_1_splat_f32x4(0.5f)) + v_15) + softmax_axis_1_splat_f32x4(1.0f);
      const softmax_axis_1_i32x4 v_17 = v_14 >> softmax_axis_1_splat_i32x4(1);
      const softmax_axis_1_f32x4 v_18 = v_16 * (softmax_axis_1_f32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)v_17 + (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(127)) << (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(23));
      const softmax_axis_1_f32x4 v_19 = v_18 * (softmax_axis_1_f32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)(softmax_axis_1_i32x4)((softmax_axis_1_u32x4)v_14 - (softmax_axis_1_u32x4)v_17) + (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(127)) << (softmax_axis_1_u32x4)softmax_axis_1_splat_i32x4(23));
      *(softmax_axis_1_f32x4_memory *)&out[at_5] = v_19;
    }
  }
}

/* ---- Step 3 ------------------------------------------------------------------------------- */

/*
 * Softmax y
 * reduce
 * in: f32[3,4,5]
 * out: f32[3,1,5]
 */
static void softmax_axis_1_y_3(const float *restrict in, float *restrict out)
{
  const softmax_axis_1_f32x4 all = softmax_axis_1_splat_f32x4(0.0f);
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t at = i * 20;
    softmax_axis_1_f32x4 acc = all;
    for (int32_t j = 0; j < 4; ++j) {
      acc = acc + (*(const softmax_axis_1_f32x4_memory *)&in[at + (j * 5)]);
    }
    const int32_t at_2 = i * 5;
    *(softmax_axis_1_f32x4_memory *)&out[at_2] = acc;
    softmax_axis_1_f32x4 acc_2 = all;
    for (int32_t j_2 = 0; j_2 < 4; ++j_2) {
      acc_2 = acc_2 + (*(const softmax_axis_1_f32x4_memory *)&in[(at + (j_2 * 5)) + 1]);
    }
    *(softmax_axis_1_f32x4_memory *)&out[at_2 + 1] = acc_2;
  }
}

/* ---- Step 4 ------------------------------------------------------------------------------- */

/*
 * Softmax y
 * div
 * in: f32[3,4,5], f32[3,1,5]
 * out: f32[3,4,5]
 */
static void softmax_axis_1_y_4(const float *restrict in1, const float *restrict in2, float *restrict out)
{
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t at = i * 20;
    const int32_t at_2 = i * 5;
    const int32_t at_3 = at_2 + 1;
    for (int32_t j = 0; j < 4; ++j) {
      const int32_t at_4 = at + (j * 5);
      *(softmax_axis_1_f32x4_memory *)&out[at_4] = (*(const softmax_axis_1_f32x4_memory *)&in1[at_4]) / (*(const softmax_axis_1_f32x4_memory *)&in2[at_2]);
      const int32_t at_5 = at_4 + 1;
      *(softmax_axis_1_f32x4_memory *)&out[at_5] = (*(const softmax_axis_1_f32x4_memory *)&in1[at_5]) / (*(const softmax_axis_1_f32x4_memory *)&in2[at_3]);
    }
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t softmax_axis_1_check(const softmax_axis_1_inputs *inputs, const softmax_axis_1_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = SOFTMAX_AXIS_1_OK;
  if (inputs == NULL) {
    status = SOFTMAX_AXIS_1_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = SOFTMAX_AXIS_1_NULL_OUTPUTS;
  } else if (inputs->x == NULL) {
    status = SOFTMAX_AXIS_1_NULL_X;
  } else if (outputs->y == NULL) {
    status = SOFTMAX_AXIS_1_NULL_Y;
  } else if (workspace == NULL) {
    status = SOFTMAX_AXIS_1_WORKSPACE_NULL;
  } else if (workspace_size < SOFTMAX_AXIS_1_WORKSPACE_SIZE) {
    status = SOFTMAX_AXIS_1_WORKSPACE_TOO_SMALL;
  } else if (((uintptr_t)workspace % SOFTMAX_AXIS_1_WORKSPACE_ALIGN) != 0u) {
    status = SOFTMAX_AXIS_1_WORKSPACE_MISALIGNED;
  } else {
    /* all arguments are usable */
  }
  return status;
}

int32_t softmax_axis_1_run(const softmax_axis_1_inputs *inputs, const softmax_axis_1_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = softmax_axis_1_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == SOFTMAX_AXIS_1_OK) {
    float *const y = (float *)(void *)((unsigned char *)workspace + 256);
    SOFTMAX_AXIS_1_STEP_BEGIN(1)
    softmax_axis_1_y(inputs->x, y);
    SOFTMAX_AXIS_1_STEP_END(1)
    float *const y_2 = (float *)(void *)((unsigned char *)workspace + 0);
    SOFTMAX_AXIS_1_STEP_BEGIN(2)
    softmax_axis_1_y_2(inputs->x, y, y_2);
    SOFTMAX_AXIS_1_STEP_END(2)
    float *const y_3 = (float *)(void *)((unsigned char *)workspace + 256);
    SOFTMAX_AXIS_1_STEP_BEGIN(3)
    softmax_axis_1_y_3(y_2, y_3);
    SOFTMAX_AXIS_1_STEP_END(3)
    SOFTMAX_AXIS_1_STEP_BEGIN(4)
    softmax_axis_1_y_4(y_2, y_3, outputs->y);
    SOFTMAX_AXIS_1_STEP_END(4)
  }
  return status;
}
