/*
 * add_bcast.c: model "add_bcast", compiled ahead of time by Ingot 0.1.0; see add_bcast.h
 *
 * Steps
 *     1  add_bcast_sum  Add sum
 */
#include "add_bcast.h"


#if ADD_BCAST_API_VERSION != 1
#error "add_bcast.h and add_bcast.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef ADD_BCAST_CONSTANT
#define ADD_BCAST_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef ADD_BCAST_STEP_BEGIN
#define ADD_BCAST_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define ADD_BCAST_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * Add sum
 * add
 * in: f32[12,5], f32[1,5]
 * out: f32[12,5]
 */
static void add_bcast_sum(const float *restrict in1, const float *restrict in2, float *restrict out)
{
  for (int32_t i = 0; i < 12; ++i) {
    const int32_t at = i * 5;
    for (int32_t j = 0; j < 5; ++j) {
      const int32_t at_2 = at + j;
      out[at_2] = in1[at_2] + in2[j];
    }
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t add_bcast_check(const add_bcast_inputs *inputs, const add_bcast_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = ADD_BCAST_OK;
  if (inputs == NULL) {
    status = ADD_BCAST_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = ADD_BCAST_NULL_OUTPUTS;
  } else if (inputs->x == NULL) {
    status = ADD_BCAST_NULL_X;
  } else if (inputs->y == NULL) {
    status = ADD_BCAST_NULL_Y;
  } else if (outputs->sum == NULL) {
    status = ADD_BCAST_NULL_SUM;
  } else {
    /* all arguments are usable */
  }
  (void)workspace;
  (void)workspace_size;
  return status;
}

int32_t add_bcast_run(const add_bcast_inputs *inputs, const add_bcast_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = add_bcast_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == ADD_BCAST_OK) {
    ADD_BCAST_STEP_BEGIN(1)
    add_bcast_sum(inputs->x, inputs->y, outputs->sum);
    ADD_BCAST_STEP_END(1)
  }
  return status;
}
