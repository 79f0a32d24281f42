//===- Family.h - What the files of operator families need ------------------------------------===//
#pragma once

#include "Import/Onnx/Graph.h"

namespace ingot::onnx_import {

#define INGOT_FAMILY(name) void register##name(Table &table);
#include "Import/Onnx/Families.inc"
#undef INGOT_FAMILY

} // namespace ingot::onnx_import
