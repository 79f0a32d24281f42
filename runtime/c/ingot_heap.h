/*
 * ingot_heap.h: blocks with a reference count, for programs with data compiled by Ingot.
 *
 * A program allocates blocks through the two hooks of an ingot_heap and gives every one of them back. Blocks and the
 * values made of them belong to one thread at a time. Freestanding C11, nothing to link; no state of its own.
 */
#ifndef INGOT_HEAP_H
#define INGOT_HEAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where memory comes from. */
typedef struct ingot_heap {
  void *(*allocate)(void *user, size_t bytes); /* aligned to 16 bytes; NULL when there is none */
  void (*release)(void *user, void *memory);   /* what allocate gave, once */
  void *user;                                  /* passed to both */
  size_t stack_bytes;                          /* what a run may use of the stack; 0: 256 KiB */
} ingot_heap;

/* Results of a run beside 0 and the program's own, which are positive. */
enum {
  INGOT_OUT_OF_MEMORY = -1,
  INGOT_STACK_EXHAUSTED = -2, /* recursion went deeper than stack_bytes allow */
  INGOT_NO_MATCH = -3         /* a value that no clause of a match? fits */
};

/* ---- For generated code ---------------------------------------------------------------------- */

/*
 * `pointers` pointers to blocks follow, then bytes. A pointer to a block may instead be an odd number, which stands for
 * a constructor without fields, or NULL.
 */
typedef struct ingot_block {
  uint32_t count;
  uint16_t tag, pointers;
} ingot_block;

typedef struct ingot_run {
  const ingot_heap *heap;
  uintptr_t stack_base;
  size_t stack_bytes;
} ingot_run;

#ifdef INGOT_HEAP_COUNT
/* Counted only where the program is compiled with this macro; the caller defines them. */
extern uint64_t ingot_count_allocate, ingot_count_retain, ingot_count_release;
#define INGOT_COUNT(what) (++ingot_count_##what)
#else
#define INGOT_COUNT(what) ((void)0)
#endif

#define INGOT_POINTERS(block) ((ingot_block **)(void *)((block) + 1))
#define INGOT_SCALARS_AT(pointers) (((pointers) * sizeof(void *) + sizeof(ingot_block) + 7u) & ~(size_t)7u)
#define INGOT_SCALARS(block, pointers) ((unsigned char *)(block) + INGOT_SCALARS_AT(pointers))
#define INGOT_TENSOR_AT 16u
#define INGOT_IMMEDIATE(tag) ((ingot_block *)(uintptr_t)((tag) * 2u + 1u))

static inline int ingot_is_block(const ingot_block *block)
{
  return block != NULL && ((uintptr_t)block & 1u) == 0u;
}

/* A block counted once; NULL when there is no memory. */
static inline ingot_block *ingot_allocate(const ingot_heap *heap, size_t bytes, unsigned tag, unsigned pointers)
{
  ingot_block *const block = (ingot_block *)heap->allocate(heap->user, bytes);
  if (block != NULL) {
    INGOT_COUNT(allocate);
    block->count = 1u;
    block->tag = (uint16_t)tag;
    block->pointers = (uint16_t)pointers;
  }
  return block;
}

/*
 * Gives back a block whose count is 0, and all that only it points to. Depth first without a stack (Schorr and Waite, 1967): on the way down the count of a dead block, which nothing needs
 * any more, says which of its pointers is being followed, and that pointer leads back up.
 */
static inline void ingot_destroy(const ingot_heap *heap, ingot_block *block)
{
  ingot_block *parent = NULL;
  for (;;) {
    if (block->count < block->pointers) {
      ingot_block **const place = &INGOT_POINTERS(block)[block->count];
      ingot_block *const child = *place;
      if (ingot_is_block(child) && --child->count == 0u) {
        *place = parent;
        parent = block;
        block = child;
      } else {
        ++block->count;
      }
    } else {
      heap->release(heap->user, block);
      if (parent == NULL) {
        return;
      }
      block = parent;
      parent = INGOT_POINTERS(block)[block->count];
      ++block->count;
    }
  }
}

static inline void ingot_retain(ingot_block *block)
{
  if (ingot_is_block(block)) {
    INGOT_COUNT(retain);
    ++block->count;
  }
}

static inline void ingot_release(const ingot_heap *heap, ingot_block *block)
{
  if (ingot_is_block(block)) {
    INGOT_COUNT(release);
    if (--block->count == 0u) {
      ingot_destroy(heap, block);
    }
  }
}

/* True if nobody else holds the block. */
static inline int ingot_is_unique(const ingot_block *block)
{
  return ingot_is_block(block) && block->count == 1u;
}

/* Releases a block that others hold too. */
static inline void ingot_decrement(ingot_block *block)
{
  INGOT_COUNT(release);
  --block->count;
}

static inline uint32_t ingot_tag(const ingot_block *block)
{
  return ((uintptr_t)block & 1u) != 0u ? (uint32_t)((uintptr_t)block >> 1) : block->tag;
}

/* `spare` made a block of the same size, or a new one where that is NULL. */
static inline ingot_block *ingot_reuse(const ingot_heap *heap, ingot_block *spare, size_t bytes, unsigned tag,
                                       unsigned pointers)
{
  if (spare == NULL) {
    return ingot_allocate(heap, bytes, tag, pointers);
  }
  spare->tag = (uint16_t)tag;
  spare->pointers = (uint16_t)pointers;
  return spare;
}

static inline uintptr_t ingot_stack_address(void)
{
#if defined(__GNUC__)
  return (uintptr_t)__builtin_frame_address(0);
#else
  char here;
  return (uintptr_t)&here;
#endif
}

static inline int ingot_is_stack_used_up(const ingot_run *run)
{
  const uintptr_t at = ingot_stack_address();
  return (run->stack_base > at ? run->stack_base - at : at - run->stack_base) > run->stack_bytes;
}

static inline ingot_run ingot_begin(const ingot_heap *heap)
{
  ingot_run run;
  run.heap = heap;
  run.stack_base = ingot_stack_address();
  run.stack_bytes = heap->stack_bytes != 0u ? heap->stack_bytes : (size_t)256u * 1024u;
  return run;
}

#ifdef __cplusplus
}
#endif

#endif
