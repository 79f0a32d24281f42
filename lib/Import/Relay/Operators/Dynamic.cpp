//===- Dynamic.cpp - Operators of Relay that take their parameters as tensors -----------------===//
//
// `dyn.tile(x, reps)` is `tile(x, reps=[...])` where the tensor is known at compile time.
//
//===----------------------------------------------------------------------------------------===//

#include "Import/Relay/Operators/Call.h"

using namespace mlir;

namespace ingot::relay {

namespace {
struct DynamicForm {
  StringRef name, fixed;
  /// The tensors that stay, what those after them are called as attributes, and how many may follow
  /// that stay again.
  unsigned tensors;
  SmallVector<StringRef> attributes;
  unsigned more = 0;
};
} // namespace

static const DynamicForm forms[] = {
    {"dyn.broadcast_to", "broadcast_to", 1, {"shape"}},
    {"dyn.expand_dims", "expand_dims", 1, {"axis"}},
    {"dyn.full", "full", 1, {"shape"}},
    {"dyn.image.resize2d", "image.resize2d", 1, {"size", "roi"}},
    {"dyn.nn.pad", "nn.pad", 1, {"pad_width"}, 1},
    {"dyn.nn.upsampling", "nn.upsampling", 1, {"scale_h", "scale_w"}},
    {"dyn.nn.upsampling3d", "nn.upsampling3d", 1, {"scale_d", "scale_h", "scale_w"}},
    {"dyn.one_hot", "one_hot", 3, {"depth"}},
    {"dyn.ones", "ones", 0, {"shape"}},
    {"dyn.squeeze", "squeeze", 1, {"axis"}},
    {"dyn.strided_slice", "strided_slice", 1, {"begin", "end", "strides"}},
    {"dyn.tile", "tile", 1, {"reps"}},
    {"dyn.topk", "topk", 1, {"k"}},
    {"dyn.zeros", "zeros", 0, {"shape"}},
};

/// `elements` in the shape of the tensor they come from: one of them, a list, or a list of lists.
template <typename T> static AttrValue shaped(ArrayRef<T> elements, ArrayRef<int64_t> shape) {
  AttrValue value;
  if (shape.empty()) {
    bool isInteger = std::is_same_v<T, int64_t>;
    value.kind = isInteger ? AttrValue::Integer : AttrValue::Float;
    value.integer = static_cast<int64_t>(elements.front());
    value.number = static_cast<double>(elements.front());
    return value;
  }
  value.kind = AttrValue::List;
  for (int64_t i = 0, n = shape.front(); i < n; ++i) {
    size_t size = elements.size() / n;
    value.list.push_back(shaped(elements.slice(i * size, size), shape.drop_front()));
  }
  return value;
}

/// The elements of a tensor known at compile time, as the value of an attribute.
static FailureOr<AttrValue> attributeOf(Call &call, size_t i, StringRef what) {
  INGOT_TRY(tensor, call.in(i));
  if (isa<FloatType>(Call::elementType(tensor))) {
    INGOT_TRY(numbers, call.numbers(i, what));
    return shaped<double>(numbers, Call::typeOf(tensor).getShape());
  }
  INGOT_TRY(integers, call.integers(i, what));
  return shaped<int64_t>(integers, Call::typeOf(tensor).getShape());
}

static LogicalResult importDynamic(Call &call) {
  const DynamicForm &form =
      *llvm::find_if(forms, [&](const DynamicForm &each) { return each.name == call.name; });
  std::vector<Call::Argument> tensors;
  for (unsigned i = 0; i < form.tensors; ++i) {
    INGOT_TRY(tensor, call.in(i));
    tensors.push_back({{tensor}, false});
  }
  Attrs attrs = call.takeAttributes();
  for (size_t i = form.tensors; i < call.count(); ++i) {
    size_t position = i - form.tensors, attributes = form.attributes.size();
    if (position >= attributes + form.more)
      return call.refuse("it takes " + Twine(form.tensors + attributes + form.more) + " arguments");
    if (position >= attributes) {
      INGOT_TRY(tensor, call.in(i));
      tensors.push_back({{tensor}, false});
      continue;
    }
    INGOT_TRY(value, attributeOf(call, i, form.attributes[position]));
    attrs.push_back({form.attributes[position].str(), value, {}});
  }
  return call.become(form.fixed, tensors, attrs);
}

void registerDynamic(OperatorTable &table) {
  for (const DynamicForm &form : forms)
    table[form.name] = importDynamic;
}

} // namespace ingot::relay
