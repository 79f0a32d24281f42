/*
 * maxpool_2d_pads.h: model "maxpool_2d_pads", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 a50f258190b08268 (first 8 bytes), opset 12
 * command    ingot compile model.onnx --name maxpool_2d_pads --target x86-64-v3 --emit c --c-dialect c11
 * in         x  float32 [1,3,28,28]   9408 bytes
 * out        y  float32 [1,3,30,30]   10800 bytes
 * workspace  20224 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    maxpool_2d_pads_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef MAXPOOL_2D_PADS_H
#define MAXPOOL_2D_PADS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MAXPOOL_2D_PADS_API_VERSION 1
#define MAXPOOL_2D_PADS_WORKSPACE_SIZE 20224u
#define MAXPOOL_2D_PADS_WORKSPACE_ALIGN 64u
#define MAXPOOL_2D_PADS_X_LENGTH 2352u /* elements of maxpool_2d_pads_inputs.x */
#define MAXPOOL_2D_PADS_Y_LENGTH 2700u /* elements of maxpool_2d_pads_outputs.y */

/* Results of maxpool_2d_pads_run. Outputs are written only when it is MAXPOOL_2D_PADS_OK. */
enum {
  MAXPOOL_2D_PADS_OK = 0,
  MAXPOOL_2D_PADS_NULL_INPUTS = 1 /* inputs is NULL */,
  MAXPOOL_2D_PADS_NULL_OUTPUTS = 2 /* outputs is NULL */,
  MAXPOOL_2D_PADS_NULL_X = 3 /* inputs->x is NULL */,
  MAXPOOL_2D_PADS_NULL_Y = 4 /* outputs->y is NULL */,
  MAXPOOL_2D_PADS_WORKSPACE_NULL = 5 /* workspace is NULL */,
  MAXPOOL_2D_PADS_WORKSPACE_TOO_SMALL = 6 /* workspace_size is below what the model needs */,
  MAXPOOL_2D_PADS_WORKSPACE_MISALIGNED = 7 /* workspace is not aligned to 64 bytes */
};

/* Read by maxpool_2d_pads_run, never written, not kept. */
typedef struct {
  const float *x; /* float32 [1,3,28,28] */
} maxpool_2d_pads_inputs;

/* Written by maxpool_2d_pads_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *y; /* float32 [1,3,30,30] */
} maxpool_2d_pads_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to MAXPOOL_2D_PADS_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least MAXPOOL_2D_PADS_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t maxpool_2d_pads_run(const maxpool_2d_pads_inputs *inputs, const maxpool_2d_pads_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* MAXPOOL_2D_PADS_H */
