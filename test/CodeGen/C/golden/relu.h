/*
 * relu.h: model "relu", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 8731c9c8345395a5 (first 8 bytes), opset 14
 * command    ingot compile model.onnx --name relu --target x86-64-v3 --emit c
 * in         x  float32 [3,4,5]   240 bytes
 * out        y  float32 [3,4,5]   240 bytes
 * workspace  0 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    relu_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef RELU_H
#define RELU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RELU_API_VERSION 1
#define RELU_WORKSPACE_SIZE 0u
#define RELU_WORKSPACE_ALIGN 64u
#define RELU_X_LENGTH 60u /* elements of relu_inputs.x */
#define RELU_Y_LENGTH 60u /* elements of relu_outputs.y */

/* Results of relu_run. Outputs are written only when it is RELU_OK. */
enum {
  RELU_OK = 0,
  RELU_NULL_INPUTS = 1 /* inputs is NULL */,
  RELU_NULL_OUTPUTS = 2 /* outputs is NULL */,
  RELU_NULL_X = 3 /* inputs->x is NULL */,
  RELU_NULL_Y = 4 /* outputs->y is NULL */
};

/* Read by relu_run, never written, not kept. */
typedef struct {
  const float *x; /* float32 [3,4,5] */
} relu_inputs;

/* Written by relu_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *y; /* float32 [3,4,5] */
} relu_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to RELU_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least RELU_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t relu_run(const relu_inputs *inputs, const relu_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* RELU_H */
