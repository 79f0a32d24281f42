/*
 * ingot_malloc.h: a heap over the C library, for programs compiled by Ingot; see ingot_heap.h
 */
#ifndef INGOT_MALLOC_H
#define INGOT_MALLOC_H

#include "ingot_heap.h"

#include <stdlib.h>

static inline void *ingot_malloc_allocate(void *user, size_t bytes)
{
  (void)user;
  return malloc(bytes);
}

static inline void ingot_malloc_release(void *user, void *memory)
{
  (void)user;
  free(memory);
}

/* malloc and free, and the default share of the stack. */
static inline ingot_heap ingot_malloc_heap(void)
{
  ingot_heap heap = {ingot_malloc_allocate, ingot_malloc_release, NULL, 0u};
  return heap;
}

#endif
