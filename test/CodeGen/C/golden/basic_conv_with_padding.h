/*
 * basic_conv_with_padding.h: model "basic_conv_with_padding", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 703ff5b428e86648 (first 8 bytes), opset 11
 * command    ingot compile model.onnx --name basic_conv_with_padding --target x86-64-v3 --emit c --c-dialect c11
 * in         x  float32 [1,1,5,5]   100 bytes
 * in         W  float32 [1,1,3,3]   36 bytes
 * out        y  float32 [1,1,5,5]   100 bytes
 * workspace  320 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    basic_conv_with_padding_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef BASIC_CONV_WITH_PADDING_H
#define BASIC_CONV_WITH_PADDING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BASIC_CONV_WITH_PADDING_API_VERSION 1
#define BASIC_CONV_WITH_PADDING_WORKSPACE_SIZE 320u
#define BASIC_CONV_WITH_PADDING_WORKSPACE_ALIGN 64u
#define BASIC_CONV_WITH_PADDING_X_LENGTH 25u /* elements of basic_conv_with_padding_inputs.x */
#define BASIC_CONV_WITH_PADDING_W_LENGTH 9u /* elements of basic_conv_with_padding_inputs.W */
#define BASIC_CONV_WITH_PADDING_Y_LENGTH 25u /* elements of basic_conv_with_padding_outputs.y */

/* Results of basic_conv_with_padding_run. Outputs are written only when it is BASIC_CONV_WITH_PADDING_OK. */
enum {
  BASIC_CONV_WITH_PADDING_OK = 0,
  BASIC_CONV_WITH_PADDING_NULL_INPUTS = 1 /* inputs is NULL */,
  BASIC_CONV_WITH_PADDING_NULL_OUTPUTS = 2 /* outputs is NULL */,
  BASIC_CONV_WITH_PADDING_NULL_X = 3 /* inputs->x is NULL */,
  BASIC_CONV_WITH_PADDING_NULL_W = 4 /* inputs->W is NULL */,
  BASIC_CONV_WITH_PADDING_NULL_Y = 5 /* outputs->y is NULL */,
  BASIC_CONV_WITH_PADDING_WORKSPACE_NULL = 6 /* workspace is NULL */,
  BASIC_CONV_WITH_PADDING_WORKSPACE_TOO_SMALL = 7 /* workspace_size is below what the model needs */,
  BASIC_CONV_WITH_PADDING_WORKSPACE_MISALIGNED = 8 /* workspace is not aligned to 64 bytes */
};

/* Read by basic_conv_with_padding_run, never written, not kept. */
typedef struct {
  const float *x; /* float32 [1,1,5,5] */
  const float *W; /* float32 [1,1,3,3] */
} basic_conv_with_padding_inputs;

/* Written by basic_conv_with_padding_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *y; /* float32 [1,1,5,5] */
} basic_conv_with_padding_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to BASIC_CONV_WITH_PADDING_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least BASIC_CONV_WITH_PADDING_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t basic_conv_with_padding_run(const basic_conv_with_padding_inputs *inputs, const basic_conv_with_padding_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* BASIC_CONV_WITH_PADDING_H */
