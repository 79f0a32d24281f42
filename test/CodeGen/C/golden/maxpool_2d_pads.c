/*
 * maxpool_2d_pads.c: model "maxpool_2d_pads", compiled ahead of time by Ingot 0.1.0; see maxpool_2d_pads.h
 *
 * Memory map of the workspace
 *   bytes                    live             buffer
 *   10816 .. 20223           step 1 to 2      y
 *   0 .. 10799               step 2 to 3      y_2
 *
 * Steps
 *     1  maxpool_2d_pads_y  MaxPool y
 *     2  maxpool_2d_pads_y_2  MaxPool y
 *     3  maxpool_2d_pads_y_3  MaxPool y
 */
#include "maxpool_2d_pads.h"

#include <math.h>

#if MAXPOOL_2D_PADS_API_VERSION != 1
#error "maxpool_2d_pads.h and maxpool_2d_pads.c come from different compilations"
#endif

/* Hooks: define before compiling this file; empty by default. */
#ifndef MAXPOOL_2D_PADS_CONSTANT
#define MAXPOOL_2D_PADS_CONSTANT /* e.g. __attribute__((section(".ext_flash"))) */
#endif
#ifndef MAXPOOL_2D_PADS_STEP_BEGIN
#define MAXPOOL_2D_PADS_STEP_BEGIN(step) /* e.g. cycle counter, trace pin */
#define MAXPOOL_2D_PADS_STEP_END(step)
#endif

_Static_assert(sizeof(float) == 4u, "float must be IEEE 754 binary32");

static inline int32_t maxpool_2d_pads_max_index(int32_t x, int32_t y)
{
  return (x > y) ? x : y;
}

static inline int32_t maxpool_2d_pads_min_index(int32_t x, int32_t y)
{
  return (x < y) ? x : y;
}

static inline float maxpool_2d_pads_maximum_f32(float x, float y)
{
  return ((x > y) || (x != x)) ? x : y;
}

/* ---- Step 1 ------------------------------------------------------------------------------- */

/*
 * MaxPool y
 * transpose
 * in: f32[1,3,28,28]
 * out: f32[1,28,28,3]
 */
static void maxpool_2d_pads_y(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 28; ++i) {
    const int32_t at = i * 28;
    const int32_t at_2 = i * 84;
    for (int32_t j = 0; j < 28; ++j) {
      const int32_t at_3 = at_2 + (j * 3);
      for (int32_t k = 0; k < 3; ++k) {
        out[at_3 + k] = in[((k * 784) + at) + j];
      }
    }
  }
}

/* ---- Step 2 ------------------------------------------------------------------------------- */

/*
 * MaxPool y
 * max_pool
 * in: f32[1,28,28,3]
 * out: f32[1,30,30,3]
 */
static void maxpool_2d_pads_y_2(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 30; ++i) {
    const int32_t at = i - 2;
    const int32_t at_2 = maxpool_2d_pads_max_index(0 - at, 0);
    const int32_t at_3 = maxpool_2d_pads_min_index(maxpool_2d_pads_max_index(28 - at, 0), 3);
    const int32_t at_4 = i * 90;
    for (int32_t j = 0; j < 30; ++j) {
      const int32_t at_5 = j - 2;
      const int32_t at_6 = maxpool_2d_pads_max_index(0 - at_5, 0);
      const int32_t at_7 = maxpool_2d_pads_min_index(maxpool_2d_pads_max_index(28 - at_5, 0), 3);
      const int32_t at_8 = at_4 + (j * 3);
      for (int32_t k = 0; k < 3; ++k) {
        float acc = -INFINITY;
        for (int32_t l = at_2; l < at_3; ++l) {
          const int32_t at_9 = (at + l) * 84;
          float acc_2 = acc;
          for (int32_t m = at_6; m < at_7; ++m) {
            acc_2 = maxpool_2d_pads_maximum_f32(acc_2, in[(at_9 + ((at_5 + m) * 3)) + k]);
          }
          acc = acc_2;
        }
        out[at_8 + k] = acc;
      }
    }
  }
}

/* ---- Step 3 ------------------------------------------------------------------------------- */

/*
 * MaxPool y
 * transpose
 * in: f32[1,30,30,3]
 * out: f32[1,3,30,30]
 */
static void maxpool_2d_pads_y_3(const float *restrict in, float *restrict out)
{
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t at = i * 900;
    for (int32_t j = 0; j < 30; ++j) {
      const int32_t at_2 = j * 90;
      const int32_t at_3 = at + (j * 30);
      for (int32_t k = 0; k < 30; ++k) {
        out[at_3 + k] = in[(at_2 + (k * 3)) + i];
      }
    }
  }
}

/* ---- Entry -------------------------------------------------------------------------------- */

static int32_t maxpool_2d_pads_check(const maxpool_2d_pads_inputs *inputs, const maxpool_2d_pads_outputs *outputs,
    const void *workspace, size_t workspace_size)
{
  int32_t status = MAXPOOL_2D_PADS_OK;
  if (inputs == NULL) {
    status = MAXPOOL_2D_PADS_NULL_INPUTS;
  } else if (outputs == NULL) {
    status = MAXPOOL_2D_PADS_NULL_OUTPUTS;
  } else if (inputs->x == NULL) {
    status = MAXPOOL_2D_PADS_NULL_X;
  } else if (outputs->y == NULL) {
    status = MAXPOOL_2D_PADS_NULL_Y;
  } else if (workspace == NULL) {
    status = MAXPOOL_2D_PADS_WORKSPACE_NULL;
  } else if (workspace_size < MAXPOOL_2D_PADS_WORKSPACE_SIZE) {
    status = MAXPOOL_2D_PADS_WORKSPACE_TOO_SMALL;
  } else if (((uintptr_t)workspace % MAXPOOL_2D_PADS_WORKSPACE_ALIGN) != 0u) {
    status = MAXPOOL_2D_PADS_WORKSPACE_MISALIGNED;
  } else {
    /* all arguments are usable */
  }
  return status;
}

int32_t maxpool_2d_pads_run(const maxpool_2d_pads_inputs *inputs, const maxpool_2d_pads_outputs *outputs,
    void *workspace, size_t workspace_size, void *context)
{
  const int32_t status = maxpool_2d_pads_check(inputs, outputs, workspace, workspace_size);
  (void)context;
  if (status == MAXPOOL_2D_PADS_OK) {
    float *const y = (float *)(void *)((unsigned char *)workspace + 10816);
    MAXPOOL_2D_PADS_STEP_BEGIN(1)
    maxpool_2d_pads_y(inputs->x, y);
    MAXPOOL_2D_PADS_STEP_END(1)
    float *const y_2 = (float *)(void *)((unsigned char *)workspace + 0);
    MAXPOOL_2D_PADS_STEP_BEGIN(2)
    maxpool_2d_pads_y_2(y, y_2);
    MAXPOOL_2D_PADS_STEP_END(2)
    MAXPOOL_2D_PADS_STEP_BEGIN(3)
    maxpool_2d_pads_y_3(y_2, outputs->y);
    MAXPOOL_2D_PADS_STEP_END(3)
  }
  return status;
}
