/*
 * reduce_mean_keepdims_example.c: model "reduce_mean_keepdims_example", compiled ahead of time by Ingot 0.1.0; see reduce_mean_keepdims_example.h
 *
 * Steps
 *     1  reduce_mean_keepdims_example_reduced  ReduceMean reduced
 */
#include "reduce_mean_keepdims_example.h"


#if REDUCE_MEAN_KEEPDIMS_EXAMPLE_API_VERSION != 1
#error "reduce_mean_keepdims_example.h and reduce_mean_keepdims_example.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef REDUCE_MEAN_KEEPDIMS_EXAMPLE_CONSTANT
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef REDUCE_MEAN_KEEPDIMS_EXAMPLE_STEP_BEGIN
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* Vectors never cross the boundary of this file. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Vectors of GNU C; those for memory are not aligned and may alias. */
typedef float reduce_mean_keepdims_example_f32x2 __attribute__((vector_size(8)));
typedef int32_t reduce_mean_keepdims_example_i32x2 __attribute__((vector_size(8)));
typedef float reduce_mean_keepdims_example_f32x2_memory __attribute__((vector_size(8), aligned(4), may_alias));

static inline reduce_mean_keepdims_example_f32x2 reduce_mean_keepdims_example_splat_f32x2(float x)
{
  return (reduce_mean_keepdims_example_f32x2){x, x};
}

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * ReduceMean reduced
 * reduce, mul
 * in: f32[3,2,2]
 * out: f32[3,1,2]
 */
static void reduce_mean_keepdims_example_reduced(const float *restrict in, float *restrict out)
{
  const reduce_mean_keepdims_example_f32x2 all = reduce_mean_keepdims_example_splat_f32x2(0.0f);
  const reduce_mean_keepdims_example_f32x2 all_2 = reduce_mean_keepdims_example_splat_f32x2(0.5f);
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t at = i * 4;
    reduce_mean_keepdims_example_f32x2 acc = all;
    for (int32_t j = 0; j < 2; ++j) {
      acc = acc + (*(const reduce_mean_keepdims_example_f32x2_memory *)&in[at + (j * 2)]);
    }
    *(reduce_mean_keepdims_example_f32x2_memory *)&out[i * 2] = acc * all_2;
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t reduce_mean_keepdims_example_check(const reduce_mean_keepdims_example_inputs *inputs, const reduce_mean_keepdims_example_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = REDUCE_MEAN_KEEPDIMS_EXAMPLE_OK;
  if (inputs == NULL) {
    status = REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_OUTPUTS;
  } else if (inputs->data == NULL) {
    status = REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_DATA;
  } else if (outputs->reduced == NULL) {
    status = REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_REDUCED;
  } else {
    /* all arguments are usable */
  }
  (void)workspace;
  (void)workspace_size;
  return status;
}

int32_t reduce_mean_keepdims_example_run(const reduce_mean_keepdims_example_inputs *inputs, const reduce_mean_keepdims_example_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = reduce_mean_keepdims_example_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == REDUCE_MEAN_KEEPDIMS_EXAMPLE_OK) {
    REDUCE_MEAN_KEEPDIMS_EXAMPLE_STEP_BEGIN(1)
    reduce_mean_keepdims_example_reduced(inputs->data, outputs->reduced);
    REDUCE_MEAN_KEEPDIMS_EXAMPLE_STEP_END(1)
  }
  return status;
}
