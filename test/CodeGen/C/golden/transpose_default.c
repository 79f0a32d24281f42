/*
 * transpose_default.c: model "transpose_default", compiled ahead of time by Ingot 0.1.0; see transpose_default.h
 *
 * Steps
 *     1  transpose_default_transposed  Transpose transposed
 */
#include "transpose_default.h"


#if TRANSPOSE_DEFAULT_API_VERSION != 1
#error "transpose_default.h and transpose_default.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef TRANSPOSE_DEFAULT_CONSTANT
#define TRANSPOSE_DEFAULT_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef TRANSPOSE_DEFAULT_STEP_BEGIN
#define TRANSPOSE_DEFAULT_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define TRANSPOSE_DEFAULT_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Transpose transposed
 * transpose
 * in: f32[2,3,4]
 * out: f32[4,3,2]
 */
static void transpose_default_transposed(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 4; ++i) {
    const int32_t at = i * 6;
    for (int32_t j = 0; j < 3; ++j) {
      const int32_t at_2 = j * 4;
      const int32_t at_3 = at + (j * 2);
      for (int32_t k = 0; k < 2; ++k) {
        out[at_3 + k] = in[((k * 12) + at_2) + i];
      }
    }
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t transpose_default_check(const transpose_default_inputs *inputs, const transpose_default_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = TRANSPOSE_DEFAULT_OK;
  if (inputs == NULL) {
    status = TRANSPOSE_DEFAULT_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = TRANSPOSE_DEFAULT_NULL_OUTPUTS;
  } else if (inputs->data == NULL) {
    status = TRANSPOSE_DEFAULT_NULL_DATA;
  } else if (outputs->transposed == NULL) {
    status = TRANSPOSE_DEFAULT_NULL_TRANSPOSED;
  } else {
    /* all arguments are usable */
  }
  (void)workspace;
  (void)workspace_size;
  return status;
}

int32_t transpose_default_run(const transpose_default_inputs *inputs, const transpose_default_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = transpose_default_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == TRANSPOSE_DEFAULT_OK) {
    TRANSPOSE_DEFAULT_STEP_BEGIN(1)
    transpose_default_transposed(inputs->data, outputs->transposed);
    TRANSPOSE_DEFAULT_STEP_END(1)
  }
  return status;
}
