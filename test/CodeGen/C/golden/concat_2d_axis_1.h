/*
 * concat_2d_axis_1.h: model "concat_2d_axis_1", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 ac54d09c1c461190 (first 8 bytes), opset 13
 * command    ingot compile model.onnx --name concat_2d_axis_1 --target x86-64-v3 --emit c --c-dialect c11
 * in         value0  float32 [2,2]   16 bytes
 * in         value1  float32 [2,2]   16 bytes
 * out        output  float32 [2,4]   32 bytes
 * workspace  0 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    concat_2d_axis_1_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef CONCAT_2D_AXIS_1_H
#define CONCAT_2D_AXIS_1_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CONCAT_2D_AXIS_1_API_VERSION 1
#define CONCAT_2D_AXIS_1_WORKSPACE_SIZE 0u
#define CONCAT_2D_AXIS_1_WORKSPACE_ALIGN 64u
#define CONCAT_2D_AXIS_1_VALUE0_LENGTH 4u /* elements of concat_2d_axis_1_inputs.value0 */
#define CONCAT_2D_AXIS_1_VALUE1_LENGTH 4u /* elements of concat_2d_axis_1_inputs.value1 */
#define CONCAT_2D_AXIS_1_OUTPUT_LENGTH 8u /* elements of concat_2d_axis_1_outputs.output */

/* Results of concat_2d_axis_1_run. Outputs are written only when it is CONCAT_2D_AXIS_1_OK. */
enum {
  CONCAT_2D_AXIS_1_OK = 0,
  CONCAT_2D_AXIS_1_NULL_INPUTS = 1 /* inputs is NULL */,
  CONCAT_2D_AXIS_1_NULL_OUTPUTS = 2 /* outputs is NULL */,
  CONCAT_2D_AXIS_1_NULL_VALUE0 = 3 /* inputs->value0 is NULL */,
  CONCAT_2D_AXIS_1_NULL_VALUE1 = 4 /* inputs->value1 is NULL */,
  CONCAT_2D_AXIS_1_NULL_OUTPUT = 5 /* outputs->output is NULL */
};

/* Read by concat_2d_axis_1_run, never written, not kept. */
typedef struct {
  const float *value0; /* float32 [2,2] */
  const float *value1; /* float32 [2,2] */
} concat_2d_axis_1_inputs;

/* Written by concat_2d_axis_1_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *output; /* float32 [2,4] */
} concat_2d_axis_1_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to CONCAT_2D_AXIS_1_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least CONCAT_2D_AXIS_1_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t concat_2d_axis_1_run(const concat_2d_axis_1_inputs *inputs, const concat_2d_axis_1_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* CONCAT_2D_AXIS_1_H */
