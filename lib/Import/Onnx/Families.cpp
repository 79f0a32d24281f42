//===- Families.cpp - The table of all supported operators ------------------------------------===//

#include "Import/Onnx/Family.h"

namespace ingot::onnx_import {

void registerFamilies(Table &table) {
#define INGOT_FAMILY(name) register##name(table);
#include "Import/Onnx/Families.inc"
#undef INGOT_FAMILY
}

} // namespace ingot::onnx_import
