/*
 * transpose_default.h: model "transpose_default", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 68fd9d427c946685 (first 8 bytes), opset 13
 * command    ingot compile model.onnx --name transpose_default --target x86-64-v3 --emit c
 * in         data        float32 [2,3,4]   96 bytes
 * out        transposed  float32 [4,3,2]   96 bytes
 * workspace  0 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    transpose_default_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef TRANSPOSE_DEFAULT_H
#define TRANSPOSE_DEFAULT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRANSPOSE_DEFAULT_API_VERSION 1
#define TRANSPOSE_DEFAULT_WORKSPACE_SIZE 0u
#define TRANSPOSE_DEFAULT_WORKSPACE_ALIGN 64u
#define TRANSPOSE_DEFAULT_DATA_LENGTH 24u /* elements of transpose_default_inputs.data */
#define TRANSPOSE_DEFAULT_TRANSPOSED_LENGTH 24u /* elements of transpose_default_outputs.transposed */

/* Results of transpose_default_run. Outputs are written only when it is TRANSPOSE_DEFAULT_OK. */
enum {
  TRANSPOSE_DEFAULT_OK = 0,
  TRANSPOSE_DEFAULT_NULL_INPUTS = 1 /* inputs is NULL */,
  TRANSPOSE_DEFAULT_NULL_OUTPUTS = 2 /* outputs is NULL */,
  TRANSPOSE_DEFAULT_NULL_DATA = 3 /* inputs->data is NULL */,
  TRANSPOSE_DEFAULT_NULL_TRANSPOSED = 4 /* outputs->transposed is NULL */
};

/* Read by transpose_default_run, never written, not kept. */
typedef struct {
  const float *data; /* float32 [2,3,4] */
} transpose_default_inputs;

/* Written by transpose_default_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *transposed; /* float32 [4,3,2] */
} transpose_default_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to TRANSPOSE_DEFAULT_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least TRANSPOSE_DEFAULT_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t transpose_default_run(const transpose_default_inputs *inputs, const transpose_default_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* TRANSPOSE_DEFAULT_H */
