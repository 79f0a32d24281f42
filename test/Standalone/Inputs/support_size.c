/* All of the support header as functions of their own, to be measured. */
#include "ingot_heap.h"
void destroy(const ingot_heap *heap, ingot_block *block) { ingot_destroy(heap, block); }
void retain(ingot_block *block) { ingot_retain(block); }
void release(const ingot_heap *heap, ingot_block *block) { ingot_release(heap, block); }
void decrement(ingot_block *block) { ingot_decrement(block); }
int unique(const ingot_block *block) { return ingot_is_unique(block); }
uint32_t tag(const ingot_block *block) { return ingot_tag(block); }
ingot_block *reuse(const ingot_heap *heap, ingot_block *block, size_t bytes, unsigned made, unsigned pointers)
{
  return ingot_reuse(heap, block, bytes, made, pointers);
}
int used_up(const ingot_run *run) { return ingot_is_stack_used_up(run); }
ingot_run begin(const ingot_heap *heap) { return ingot_begin(heap); }
