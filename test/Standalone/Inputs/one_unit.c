/* Two generated files in one translation unit. */
#include "plus_one.c"
#include "twice.c"
