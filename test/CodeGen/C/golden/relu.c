/*
 * relu.c: model "relu", compiled ahead of time by Ingot 0.1.0; see relu.h
 *
 * Steps
 *     1  relu_y  Relu y
 */
#include "relu.h"


#if RELU_API_VERSION != 1
#error "relu.h and relu.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef RELU_CONSTANT
#define RELU_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef RELU_STEP_BEGIN
#define RELU_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define RELU_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* Vectors never cross the boundary of this file. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Vectors of GNU C; those for memory are not aligned and may alias. */
typedef float relu_f32x8 __attribute__((vector_size(32)));
typedef int32_t relu_i32x8 __attribute__((vector_size(32)));
typedef float relu_f32x8_memory __attribute__((vector_size(32), aligned(4), may_alias));

static inline relu_f32x8 relu_splat_f32x8(float x)
{
  return (relu_f32x8){x, x, x, x, x, x, x, x};
}

static inline relu_f32x8 relu_select_f32x8(relu_i32x8 m, relu_f32x8 x, relu_f32x8 y)
{
  return (relu_f32x8)((m & (relu_i32x8)x) | (~m & (relu_i32x8)y));
}

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Relu y
 * relu
 * in: f32[60]
 * out: f32[60]
 */
static void relu_y(const float *restrict in, float *restrict out)
{
  const relu_f32x8 all = relu_splat_f32x8(0.0f);
  for (int32_t i = 0; i < 56; i += 8) {
    const relu_f32x8 in_v = *(const relu_f32x8_memory *)&in[i];
    *(relu_f32x8_memory *)&out[i] = relu_select_f32x8(all > in_v, all, in_v);
  }
  const relu_f32x8 in_v_2 = *(const relu_f32x8_memory *)&in[52];
  *(relu_f32x8_memory *)&out[52] = relu_select_f32x8(all > in_v_2, all, in_v_2);
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t relu_check(const relu_inputs *inputs, const relu_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = RELU_OK;
  if (inputs == NULL) {
    status = RELU_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = RELU_NULL_OUTPUTS;
  } else if (inputs->x == NULL) {
    status = RELU_NULL_X;
  } else if (outputs->y == NULL) {
    status = RELU_NULL_Y;
  } else {
    /* all arguments are usable */
  }
  (void)workspace;
  (void)workspace_size;
  return status;
}

int32_t relu_run(const relu_inputs *inputs, const relu_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = relu_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == RELU_OK) {
    RELU_STEP_BEGIN(1)
    relu_y(inputs->x, outputs->y);
    RELU_STEP_END(1)
  }
  return status;
}
