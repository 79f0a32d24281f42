/*
 * gemm_default_vector_bias.c: model "gemm_default_vector_bias", compiled ahead of time by Ingot 0.1.0; see gemm_default_vector_bias.h
 *
 * Memory map of the workspace
 *   bytes                    live             buffer
 *   0 .. 111                 step 1 to 2      y
 *
 * Steps
 *     1  gemm_default_vector_bias_y  Gemm y
 *     2  gemm_default_vector_bias_y_2  Gemm y
 */
#include "gemm_default_vector_bias.h"


#if GEMM_DEFAULT_VECTOR_BIAS_API_VERSION != 1
#error "gemm_default_vector_bias.h and gemm_default_vector_bias.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef GEMM_DEFAULT_VECTOR_BIAS_CONSTANT
#define GEMM_DEFAULT_VECTOR_BIAS_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef GEMM_DEFAULT_VECTOR_BIAS_STEP_BEGIN
#define GEMM_DEFAULT_VECTOR_BIAS_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define GEMM_DEFAULT_VECTOR_BIAS_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* Vectors never cross the boundary of this file. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Vectors of GNU C; those for memory are not aligned and may alias. */
typedef float gemm_default_vector_bias_f32x4 __attribute__((vector_size(16)));
typedef int32_t gemm_default_vector_bias_i32x4 __attribute__((vector_size(16)));
/* Read into a register once, not again for each product. */
typedef volatile float gemm_default_vector_bias_f32x4_once __attribute__((vector_size(16), aligned(4), may_alias));
typedef float gemm_default_vector_bias_f32x4_memory __attribute__((vector_size(16), aligned(4), may_alias));

static inline int32_t gemm_default_vector_bias_min_index(int32_t x, int32_t y)
{
  return (x < y) ? x : y;
}

static inline gemm_default_vector_bias_f32x4 gemm_default_vector_bias_splat_f32x4(float x)
{
  return (gemm_default_vector_bias_f32x4){x, x, x, x};
}

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Gemm y
 * pack
 * in: f32[7,4]
 * out: f32[1,7,4]
 */
static void gemm_default_vector_bias_y(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 7; ++i) {
    const int32_t at = i * 4;
    for (int32_t j = 0; j < 4; ++j) {
      const float in_x = in[at + gemm_default_vector_bias_min_index(gemm_default_vector_bias_min_index((j / 4) * 4, 0) + (j % 4), 3)];
      out[at + j] = in_x;
    }
  }
}

/* ---- Step 2 ------------------------------------------------------------------------------- */

/*
 * Gemm y
 * packed_matmul, add
 * in: f32[2,7], f32[1,7,4], f32[1,4]
 * out: f32[2,4]
 */
static void gemm_default_vector_bias_y_2(const float *restrict in1, const float *restrict in2, const float *restrict in3, float *restrict out)
{
  const gemm_default_vector_bias_f32x4 all = gemm_default_vector_bias_splat_f32x4(0.0f);
  gemm_default_vector_bias_f32x4 acc = all;
  gemm_default_vector_bias_f32x4 acc_2 = all;
  gemm_default_vector_bias_f32x4 acc_3 = all;
  gemm_default_vector_bias_f32x4 acc_4 = all;
  for (int32_t i = 0; i < 6; i += 2) {
    const gemm_default_vector_bias_f32x4 in2_v = *(const gemm_default_vector_bias_f32x4_once *)&in2[i * 4];
    acc = gemm_default_vector_bias_splat_f32x4(in1[i]) * in2_v + acc;
    acc_2 = gemm_default_vector_bias_splat_f32x4(in1[i + 7]) * in2_v + acc_2;
    const int32_t at = i + 1;
    const gemm_default_vector_bias_f32x4 in2_v_2 = *(const gemm_default_vector_bias_f32x4_once *)&in2[at * 4];
    acc_3 = gemm_default_vector_bias_splat_f32x4(in1[at]) * in2_v_2 + acc_3;
    acc_4 = gemm_default_vector_bias_splat_f32x4(in1[at + 7]) * in2_v_2 + acc_4;
  }
  const gemm_default_vector_bias_f32x4 in2_v_3 = *(const gemm_default_vector_bias_f32x4_once *)&in2[24];
  const gemm_default_vector_bias_f32x4 v = gemm_default_vector_bias_splat_f32x4(in1[13]) * in2_v_3 + (acc_2 + acc_4);
  const gemm_default_vector_bias_f32x4 in3_v = *(const gemm_default_vector_bias_f32x4_memory *)&in3[0];
  *(gemm_default_vector_bias_f32x4_memory *)&out[0] = (gemm_default_vector_bias_splat_f32x4(in1[6]) * in2_v_3 + (acc + acc_3)) + in3_v;
  *(gemm_default_vector_bias_f32x4_memory *)&out[4] = v + in3_v;
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t gemm_default_vector_bias_check(const gemm_default_vector_bias_inputs *inputs, const gemm_default_vector_bias_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = GEMM_DEFAULT_VECTOR_BIAS_OK;
  if (inputs == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_NULL_OUTPUTS;
  } else if (inputs->a == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_NULL_A;
  } else if (inputs->b == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_NULL_B;
  } else if (inputs->c == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_NULL_C;
  } else if (outputs->y == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_NULL_Y;
  } else if (workspace == NULL) {
    status = GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_NULL;
  } else if (workspace_size < GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_SIZE) {
    status = GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_TOO_SMALL;
  } else if (((uintptr_t)workspace % GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_ALIGN) != 0u) {
    status = GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_MISALIGNED;
  } else {
    /* all arguments are usable */
  }
  return status;
}

int32_t gemm_default_vector_bias_run(const gemm_default_vector_bias_inputs *inputs, const gemm_default_vector_bias_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = gemm_default_vector_bias_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == GEMM_DEFAULT_VECTOR_BIAS_OK) {
    float *const y = (float *)(void *)((unsigned char *)workspace + 0);
    GEMM_DEFAULT_VECTOR_BIAS_STEP_BEGIN(1)
    gemm_default_vector_bias_y(inputs->b, y);
    GEMM_DEFAULT_VECTOR_BIAS_STEP_END(1)
    GEMM_DEFAULT_VECTOR_BIAS_STEP_BEGIN(2)
    gemm_default_vector_bias_y_2(inputs->a, y, inputs->c, outputs->y);
    GEMM_DEFAULT_VECTOR_BIAS_STEP_END(2)
  }
  return status;
}
