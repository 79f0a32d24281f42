// Element-wise operators of two and three operands.
include "Operators/Elementwise/Base.td"

def Ingot_AddOp : Ingot_Binary<"add", "Add", "x + y", "return s.add(x[0], x[1]);">;
def Ingot_SubOp : Ingot_Binary<"sub", "Sub", "x - y", "return s.sub(x[0], x[1]);">;
def Ingot_MulOp : Ingot_Binary<"mul", "Mul", "x * y", "return s.mul(x[0], x[1]);">;
def Ingot_DivOp : Ingot_Binary<"div", "Div", "x / y; integers truncate towards zero", "return s.div(x[0], x[1]);">;
def Ingot_ModOp : Ingot_Binary<"mod", "", "remainder with the sign of y, integers only", "return s.mod(x[0], x[1]);">;
def Ingot_FmodOp : Ingot_Binary<"fmod", "", "remainder with the sign of x", "return s.fmod(x[0], x[1]);">;
def Ingot_PowOp : Ingot_Binary<"pow", "", "x to the power of y, both of one type", "return s.pow(x[0], x[1]);">;
def Ingot_MinOp : Ingot_Binary<"min", "", "the lesser, NaN if either is", "return s.min(x[0], x[1]);">;
def Ingot_MaxOp : Ingot_Binary<"max", "", "the greater, NaN if either is", "return s.max(x[0], x[1]);">;
def Ingot_BitAndOp : Ingot_Binary<"bit_and", "BitwiseAnd", "bits of both", "return s.bitAnd(x[0], x[1]);">;
def Ingot_BitOrOp : Ingot_Binary<"bit_or", "BitwiseOr", "bits of either", "return s.bitOr(x[0], x[1]);">;
def Ingot_BitXorOp : Ingot_Binary<"bit_xor", "BitwiseXor", "bits of one", "return s.bitXor(x[0], x[1]);">;
def Ingot_ShiftLeftOp : Ingot_Binary<"shift_left", "", "x * 2^y", "return s.shiftLeft(x[0], x[1]);">;
def Ingot_ShiftRightOp : Ingot_Binary<"shift_right", "", "x / 2^y, unsigned", "return s.shiftRight(x[0], x[1]);">;

def Ingot_AndOp : Ingot_Logic<"and", "And", "both", "return s.bitAnd(x[0], x[1]);">;
def Ingot_OrOp : Ingot_Logic<"or", "Or", "either", "return s.bitOr(x[0], x[1]);">;
def Ingot_XorOp : Ingot_Logic<"xor", "Xor", "just one", "return s.bitXor(x[0], x[1]);">;

def Ingot_EqualOp : Ingot_Comparison<"equal", "Equal", "x = y", "Equal">;
def Ingot_LessOp : Ingot_Comparison<"less", "Less", "x < y", "Less">;
def Ingot_LessOrEqualOp : Ingot_Comparison<"less_or_equal", "LessOrEqual", "x <= y", "LessOrEqual">;
def Ingot_GreaterOp : Ingot_Comparison<"greater", "Greater", "x > y", "Greater">;
def Ingot_GreaterOrEqualOp : Ingot_Comparison<"greater_or_equal", "GreaterOrEqual", "x >= y", "GreaterOrEqual">;

def Ingot_SelectOp : Ingot_Elementwise<"select", "Where", "x where the condition holds, else y",
                                       "return s.select(x[0], x[1], x[2]);",
                                       "elementOf(adaptor.getOperands()[1])",
                                       "elementOf(getOperation()->getOperand(1))"> {
  let arguments = (ins Ingot_BoolTensor:$condition, Ingot_Tensor:$x, Ingot_Tensor:$y);
}
