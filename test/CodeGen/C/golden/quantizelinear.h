/*
 * quantizelinear.h: model "quantizelinear", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 bf948d9ee691a32f (first 8 bytes), opset 13
 * command    ingot compile model.onnx --name quantizelinear --target x86-64-v3 --emit c --c-dialect c11
 * in         x             float32 [6]   24 bytes
 * in         y_scale       float32 []   4 bytes
 * in         y_zero_point  uint8 []   1 bytes
 * out        y             uint8 [6]   6 bytes
 * workspace  64 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    quantizelinear_run may be called from several threads at once, each with a workspace of its own
 * calls      rintf (libm)
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef QUANTIZELINEAR_H
#define QUANTIZELINEAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QUANTIZELINEAR_API_VERSION 1
#define QUANTIZELINEAR_WORKSPACE_SIZE 64u
#define QUANTIZELINEAR_WORKSPACE_ALIGN 64u
#define QUANTIZELINEAR_X_LENGTH 6u /* elements of quantizelinear_inputs.x */
#define QUANTIZELINEAR_Y_SCALE_LENGTH 1u /* elements of quantizelinear_inputs.y_scale */
#define QUANTIZELINEAR_Y_ZERO_POINT_LENGTH 1u /* elements of quantizelinear_inputs.y_zero_point */
#define QUANTIZELINEAR_Y_LENGTH 6u /* elements of quantizelinear_outputs.y */

/* Results of quantizelinear_run. Outputs are written only when it is QUANTIZELINEAR_OK. */
enum {
  QUANTIZELINEAR_OK = 0,
  QUANTIZELINEAR_NULL_INPUTS = 1 /* inputs is NULL */,
  QUANTIZELINEAR_NULL_OUTPUTS = 2 /* outputs is NULL */,
  QUANTIZELINEAR_NULL_X = 3 /* inputs->x is NULL */,
  QUANTIZELINEAR_NULL_Y_SCALE = 4 /* inputs->y_scale is NULL */,
  QUANTIZELINEAR_NULL_Y_ZERO_POINT = 5 /* inputs->y_zero_point is NULL */,
  QUANTIZELINEAR_NULL_Y = 6 /* outputs->y is NULL */,
  QUANTIZELINEAR_WORKSPACE_NULL = 7 /* workspace is NULL */,
  QUANTIZELINEAR_WORKSPACE_TOO_SMALL = 8 /* workspace_size is below what the model needs */,
  QUANTIZELINEAR_WORKSPACE_MISALIGNED = 9 /* workspace is not aligned to 64 bytes */
};

/* Read by quantizelinear_run, never written, not kept. */
typedef struct {
  const float *x; /* float32 [6] */
  const float *y_scale; /* float32 [] */
  const uint8_t *y_zero_point; /* uint8 [] */
} quantizelinear_inputs;

/* Written by quantizelinear_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  uint8_t *y; /* uint8 [6] */
} quantizelinear_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to QUANTIZELINEAR_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least QUANTIZELINEAR_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t quantizelinear_run(const quantizelinear_inputs *inputs, const quantizelinear_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* QUANTIZELINEAR_H */
