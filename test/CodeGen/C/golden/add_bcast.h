/*
 * add_bcast.h: model "add_bcast", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 d562ef62b7e9541e (first 8 bytes), opset 14
 * command    ingot compile model.onnx --name add_bcast --target x86-64-v3 --emit c --c-dialect c11
 * in         x    float32 [3,4,5]   240 bytes
 * in         y    float32 [5]   20 bytes
 * out        sum  float32 [3,4,5]   240 bytes
 * workspace  0 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    add_bcast_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef ADD_BCAST_H
#define ADD_BCAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ADD_BCAST_API_VERSION 1
#define ADD_BCAST_WORKSPACE_SIZE 0u
#define ADD_BCAST_WORKSPACE_ALIGN 64u
#define ADD_BCAST_X_LENGTH 60u /* elements of add_bcast_inputs.x */
#define ADD_BCAST_Y_LENGTH 5u /* elements of add_bcast_inputs.y */
#define ADD_BCAST_SUM_LENGTH 60u /* elements of add_bcast_outputs.sum */

/* Results of add_bcast_run. Outputs are written only when it is ADD_BCAST_OK. */
enum {
  ADD_BCAST_OK = 0,
  ADD_BCAST_NULL_INPUTS = 1 /* inputs is NULL */,
  ADD_BCAST_NULL_OUTPUTS = 2 /* outputs is NULL */,
  ADD_BCAST_NULL_X = 3 /* inputs->x is NULL */,
  ADD_BCAST_NULL_Y = 4 /* inputs->y is NULL */,
  ADD_BCAST_NULL_SUM = 5 /* outputs->sum is NULL */
};

/* Read by add_bcast_run, never written, not kept. */
typedef struct {
  const float *x; /* float32 [3,4,5] */
  const float *y; /* float32 [5] */
} add_bcast_inputs;

/* Written by add_bcast_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *sum; /* float32 [3,4,5] */
} add_bcast_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to ADD_BCAST_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least ADD_BCAST_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t add_bcast_run(const add_bcast_inputs *inputs, const add_bcast_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* ADD_BCAST_H */
