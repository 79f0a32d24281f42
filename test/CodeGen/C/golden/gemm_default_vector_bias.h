/*
 * gemm_default_vector_bias.h: model "gemm_default_vector_bias", compiled ahead of time by Ingot 0.1.0
 *
 * source     model.onnx, sha256 777c94807d257478 (first 8 bytes), opset 13
 * command    ingot compile model.onnx --name gemm_default_vector_bias --target x86-64-v3 --emit c
 * in         a  float32 [2,7]   56 bytes
 * in         b  float32 [7,4]   112 bytes
 * in         c  float32 [1,4]   16 bytes
 * out        y  float32 [2,4]   32 bytes
 * workspace  128 bytes, 64-byte aligned, owned by the caller, contents undefined between calls
 * constants  0 bytes, read-only
 * heap       none; writable static data: none; recursion: none
 * threads    gemm_default_vector_bias_run may be called from several threads at once, each with a workspace of its own
 * calls      nothing
 *
 * The compiler's licence does not extend to this file.
 */
#ifndef GEMM_DEFAULT_VECTOR_BIAS_H
#define GEMM_DEFAULT_VECTOR_BIAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GEMM_DEFAULT_VECTOR_BIAS_API_VERSION 1
#define GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_SIZE 128u
#define GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_ALIGN 64u
#define GEMM_DEFAULT_VECTOR_BIAS_A_LENGTH 14u /* elements of gemm_default_vector_bias_inputs.a */
#define GEMM_DEFAULT_VECTOR_BIAS_B_LENGTH 28u /* elements of gemm_default_vector_bias_inputs.b */
#define GEMM_DEFAULT_VECTOR_BIAS_C_LENGTH 4u /* elements of gemm_default_vector_bias_inputs.c */
#define GEMM_DEFAULT_VECTOR_BIAS_Y_LENGTH 8u /* elements of gemm_default_vector_bias_outputs.y */

/* Results of gemm_default_vector_bias_run. Outputs are written only when it is GEMM_DEFAULT_VECTOR_BIAS_OK. */
enum {
  GEMM_DEFAULT_VECTOR_BIAS_OK = 0,
  GEMM_DEFAULT_VECTOR_BIAS_NULL_INPUTS = 1 /* inputs is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_NULL_OUTPUTS = 2 /* outputs is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_NULL_A = 3 /* inputs->a is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_NULL_B = 4 /* inputs->b is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_NULL_C = 5 /* inputs->c is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_NULL_Y = 6 /* outputs->y is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_NULL = 7 /* workspace is NULL */,
  GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_TOO_SMALL = 8 /* workspace_size is below what the model needs */,
  GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_MISALIGNED = 9 /* workspace is not aligned to 64 bytes */
};

/* Read by gemm_default_vector_bias_run, never written, not kept. */
typedef struct {
  const float *a; /* float32 [2,7] */
  const float *b; /* float32 [7,4] */
  const float *c; /* float32 [1,4] */
} gemm_default_vector_bias_inputs;

/* Written by gemm_default_vector_bias_run; must not overlap each other, the inputs or the workspace. */
typedef struct {
  float *y; /* float32 [2,4] */
} gemm_default_vector_bias_outputs;

/*
 * Runs the model once.
 *
 * workspace       scratch memory, aligned to GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_ALIGN
 * workspace_size  its size in bytes, at least GEMM_DEFAULT_VECTOR_BIAS_WORKSPACE_SIZE
 * context         passed unchanged to every external function; this model calls none, NULL is fine
 */
int32_t gemm_default_vector_bias_run(const gemm_default_vector_bias_inputs *inputs, const gemm_default_vector_bias_outputs *outputs,
            void *workspace, size_t workspace_size, void *context);

#ifdef __cplusplus
}
#endif

#endif /* GEMM_DEFAULT_VECTOR_BIAS_H */
