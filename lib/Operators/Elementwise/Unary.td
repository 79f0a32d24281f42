// Element-wise operators of one operand.
include "Operators/Elementwise/Base.td"

def Ingot_AbsOp : Ingot_Unary<"abs", "Abs", "|x|", "return s.abs(x[0]);">;
def Ingot_NegOp : Ingot_Unary<"neg", "Neg", "-x", "return s.neg(x[0]);">;
def Ingot_SignOp : Ingot_Unary<"sign", "Sign", "-1, 0 or 1 by the sign of x; NaN stays NaN", [{
  Value zero = s.constant(0);
  Value positive = s.select(s.compare(Compare::Greater, x[0], zero), s.constant(1), x[0]);
  if (s.isUnsigned())
    return positive;
  return s.select(s.compare(Compare::Less, x[0], zero), s.constant(-1), positive);
}]>;
def Ingot_FloorOp : Ingot_FloatUnary<"floor", "Floor", "greatest integer not above x", "return s.floor(x[0]);">;
def Ingot_CeilOp : Ingot_FloatUnary<"ceil", "Ceil", "least integer not below x", "return s.ceil(x[0]);">;
def Ingot_RoundOp : Ingot_FloatUnary<"round", "Round", "nearest integer, halves to even", "return s.roundEven(x[0]);">;
def Ingot_SqrtOp : Ingot_FloatUnary<"sqrt", "Sqrt", "square root", "return s.sqrt(x[0]);">;
def Ingot_ReciprocalOp : Ingot_FloatUnary<"reciprocal", "Reciprocal", "1 / x",
                                          "return s.div(s.constant(1), x[0]);">;
def Ingot_ExpOp : Ingot_FloatUnary<"exp", "Exp", "e^x", "return s.exp(x[0]);">;
def Ingot_LogOp : Ingot_FloatUnary<"log", "Log", "natural logarithm", "return s.log(x[0]);">;
def Ingot_SinOp : Ingot_FloatUnary<"sin", "Sin", "sine", "return s.scalarMath<math::SinOp>(x[0]);">;
def Ingot_CosOp : Ingot_FloatUnary<"cos", "Cos", "cosine", "return s.scalarMath<math::CosOp>(x[0]);">;
def Ingot_TanOp : Ingot_FloatUnary<"tan", "Tan", "tangent", "return s.scalarMath<math::TanOp>(x[0]);">;
def Ingot_AsinOp : Ingot_FloatUnary<"asin", "Asin", "arc sine", "return s.scalarMath<math::AsinOp>(x[0]);">;
def Ingot_AcosOp : Ingot_FloatUnary<"acos", "Acos", "arc cosine", "return s.scalarMath<math::AcosOp>(x[0]);">;
def Ingot_AtanOp : Ingot_FloatUnary<"atan", "Atan", "arc tangent", "return s.scalarMath<math::AtanOp>(x[0]);">;
def Ingot_SinhOp : Ingot_FloatUnary<"sinh", "Sinh", "hyperbolic sine", "return s.scalarMath<math::SinhOp>(x[0]);">;
def Ingot_CoshOp : Ingot_FloatUnary<"cosh", "Cosh", "hyperbolic cosine", "return s.scalarMath<math::CoshOp>(x[0]);">;
def Ingot_TanhOp : Ingot_FloatUnary<"tanh", "Tanh", "hyperbolic tangent", "return s.tanh(x[0]);">;
def Ingot_AsinhOp : Ingot_FloatUnary<"asinh", "Asinh", "inverse hyperbolic sine",
                                     "return s.scalarMath<math::AsinhOp>(x[0]);">;
def Ingot_AcoshOp : Ingot_FloatUnary<"acosh", "Acosh", "inverse hyperbolic cosine",
                                     "return s.scalarMath<math::AcoshOp>(x[0]);">;
def Ingot_AtanhOp : Ingot_FloatUnary<"atanh", "Atanh", "inverse hyperbolic tangent",
                                     "return s.scalarMath<math::AtanhOp>(x[0]);">;
def Ingot_ErfOp : Ingot_FloatUnary<"erf", "Erf", "Gauss error function", "return s.erf(x[0]);">;
def Ingot_SigmoidOp : Ingot_FloatUnary<"sigmoid", "Sigmoid", "1 / (1 + e^-x)", "return s.sigmoid(x[0]);">;
def Ingot_ReluOp : Ingot_Unary<"relu", "Relu", "max(x, 0)", "return s.max(x[0], s.constant(0));">;
def Ingot_BitNotOp : Ingot_Unary<"bit_not", "BitwiseNot", "every bit inverted", "return s.bitNot(x[0]);">;

def Ingot_NotOp : Ingot_Elementwise<"not", "Not", "logical negation", "return s.bitNot(x[0]);"> {
  let arguments = (ins Ingot_BoolTensor:$x);
}
def Ingot_IsNaNOp : Ingot_Elementwise<"is_nan", "IsNaN", "x is not a number", "return s.isNaN(x[0]);",
                                      "::mlir::IntegerType::get(adaptor.getX().getContext(), 1)"> {
  let arguments = (ins Ingot_FloatTensor:$x);
}
def Ingot_CastOp : Ingot_Elementwise<"cast", "", "x in another element type (ONNX Cast)",
                                     "return s.cast(x[0], getTo());", "adaptor.getTo()"> {
  let arguments = (ins Ingot_Tensor:$x, TypeAttr:$to);
}
