/* Two programs and two copies of one, under names of their own, in one program with one heap. */
#include "first.h"
#include "forest.h"
#include "ingot_malloc.h"
#include "second.h"
#include <stdio.h>

int main(void)
{
  const ingot_heap heap = ingot_malloc_heap();
  const float elements[4] = {1.f, 2.f, 3.f, 4.f};
  const float scale = 2.f;
  float sum[4];
  int32_t size;
  forest_Tree_Tensor_2_2_float32 *const tree = forest_Tree_Tensor_2_2_float32_Rose(
      &heap, forest_float32_2x2_new(&heap, elements), forest_List_Tree_Tensor_2_2_float32_Nil());
  const forest_inputs trees = {tree, forest_List_Shape_Nil(), &scale};
  forest_outputs out = {0};
  const first_inputs one = {first_nat_S(&heap, first_nat_Z()), first_nat_Z()};
  const second_inputs two = {second_nat_S(&heap, second_nat_Z()), second_nat_S(&heap, second_nat_Z())};
  first_outputs first;
  second_outputs second;
  out.output_1 = sum;
  out.output_2 = &size;
  if (forest_run(&trees, &out, &heap) != 0 || first_run(&one, &first, &heap) != 0 || second_run(&two, &second, &heap) != 0) {
    return 1;
  }
  printf("%g %d; %d, %d\n", (double)sum[3], (int)size, (int)first_nat_tag(first_nat_S_0(first.output)),
         (int)second_nat_tag(second_nat_S_0(second.output)));
  return 0;
}
