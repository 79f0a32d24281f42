/* Builds 12 and 34, has them added, reads 46 back, gives all blocks back. */
#include "peano.h"
#include <stdio.h>
#include <stdlib.h>

static void *allocate(void *user, size_t bytes)
{
  long *const live = (long *)user;
  ++*live;
  return malloc(bytes);
}

static void release(void *user, void *memory)
{
  long *const live = (long *)user;
  --*live;
  free(memory);
}

static peano_nat *number(const ingot_heap *heap, int n)
{
  peano_nat *made = peano_nat_Z();
  for (; n > 0; --n) {
    made = peano_nat_S(heap, made);
  }
  return made;
}

int main(void)
{
  long live = 0;
  const ingot_heap heap = {allocate, release, &live, 0u};
  peano_nat *const m = number(&heap, 12);
  peano_nat *const n = number(&heap, 34);
  const peano_inputs in = {m, n};
  peano_outputs out;
  const peano_nat *at;
  int count = 0;
  if (peano_run(&in, &out, &heap) != PEANO_OK) {
    return 1;
  }
  for (at = out.output; peano_nat_tag(at) == PEANO_NAT_S; at = peano_nat_S_0(at)) {
    ++count;
  }
  peano_nat_release(&heap, m);
  peano_nat_release(&heap, n);
  peano_nat_release(&heap, out.output);
  printf("%d, %ld blocks left\n", count, live);
  return 0;
}
