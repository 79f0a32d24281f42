/*
 * softmax_axis_1.h: model "softmax_axis_1", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 f9f75759d94dff6a (first 8 bytes), opset 13
 * command    ingot compile model.onnx --name softmax_axis_1 --target x86-64-v3 --emit c
 * in         x  float32 [3,4,5]   240 bytes
 * out        y  float32 [3,4,5]   240 bytes
 * workspace  320 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    softmax_axis_1_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef SOFTMAX_AXIS_1_H
#define SOFTMAX_AXIS_1_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTMAX_AXIS_1_API_VERSION 1
#define SOFTMAX_AXIS_1_WORKSPACE_SIZE 320u
#define SOFTMAX_AXIS_1_WORKSPACE_ALIGN 64u
#define SOFTMAX_AXIS_1_X_LENGTH 60u /* elements of softmax_axis_1_inputs.x */
#define SOFTMAX_AXIS_1_Y_LENGTH 60u /* elements of softmax_axis_1_outputs.y */

/* Results of softmax_axis_1_run. Outputs are written only when it is SOFTMAX_AXIS_1_OK. */
enum {
  SOFTMAX_AXIS_1_OK = 0,
  SOFTMAX_AXIS_1_NULL_INPUTS = 1 /* inputs is NULL */,
  SOFTMAX_AXIS_1_NULL_OUTPUTS = 2 /* outputs is NULL */,
  SOFTMAX_AXIS_1_NULL_X = 3 /* inputs->x is NULL */,
  SOFTMAX_AXIS_1_NULL_Y = 4 /* outputs->y is NULL */,
  SOFTMAX_AXIS_1_WORKSPACE_NULL = 5 /* workspace is NULL */,
  SOFTMAX_AXIS_1_WORKSPACE_TOO_SMALL = 6 /* workspace_size is below what the model needs */,
  SOFTMAX_AXIS_1_WORKSPACE_MISALIGNED = 7 /* workspace is not aligned to 64 bytes */
};

/* Read by softmax_axis_1_run, never written, not kept. */
typedef struct {
  const float *x; /* float32 [3,4,5] */
} softmax_axis_1_inputs;

/* Written by softmax_axis_1_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *y; /* float32 [3,4,5] */
} softmax_axis_1_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to SOFTMAX_AXIS_1_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least SOFTMAX_AXIS_1_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t softmax_axis_1_run(const softmax_axis_1_inputs *inputs, const softmax_axis_1_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* SOFTMAX_AXIS_1_H */
