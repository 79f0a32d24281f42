/*
 * reduce_mean_keepdims_example.h: model "reduce_mean_keepdims_example", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 7abf9c6e7aa52050 (first 8 bytes), opset 13
 * command    ingot compile model.onnx --name reduce_mean_keepdims_example --target x86-64-v3 --emit c
 * in         data     float32 [3,2,2]   48 bytes
 * out        reduced  float32 [3,1,2]   24 bytes
 * workspace  0 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    reduce_mean_keepdims_example_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef REDUCE_MEAN_KEEPDIMS_EXAMPLE_H
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_API_VERSION 1
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_WORKSPACE_SIZE 0u
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_WORKSPACE_ALIGN 64u
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_DATA_LENGTH 12u /* elements of reduce_mean_keepdims_example_inputs.data */
#define REDUCE_MEAN_KEEPDIMS_EXAMPLE_REDUCED_LENGTH 6u /* elements of reduce_mean_keepdims_example_outputs.reduced */

/* Results of reduce_mean_keepdims_example_run. Outputs are written only when it is REDUCE_MEAN_KEEPDIMS_EXAMPLE_OK. */
enum {
  REDUCE_MEAN_KEEPDIMS_EXAMPLE_OK = 0,
  REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_INPUTS = 1 /* inputs is NULL */,
  REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_OUTPUTS = 2 /* outputs is NULL */,
  REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_DATA = 3 /* inputs->data is NULL */,
  REDUCE_MEAN_KEEPDIMS_EXAMPLE_NULL_REDUCED = 4 /* outputs->reduced is NULL */
};

/* Read by reduce_mean_keepdims_example_run, never written, not kept. */
typedef struct {
  const float *data; /* float32 [3,2,2] */
} reduce_mean_keepdims_example_inputs;

/* Written by reduce_mean_keepdims_example_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *reduced; /* float32 [3,1,2] */
} reduce_mean_keepdims_example_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to REDUCE_MEAN_KEEPDIMS_EXAMPLE_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least REDUCE_MEAN_KEEPDIMS_EXAMPLE_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t reduce_mean_keepdims_example_run(const reduce_mean_keepdims_example_inputs *inputs, const reduce_mean_keepdims_example_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* REDUCE_MEAN_KEEPDIMS_EXAMPLE_H */
