//===- Match.cpp - Pattern matching to decisions ----------------------------------------------===//
//
// Clauses become a tree of decisions, each on one constructor or literal (Maranget: Compiling
// pattern matching to good decision trees, 2008); the leftmost column that the first clause tests
// is tested first.
//
//===----------------------------------------------------------------------------------------===//

#include "Import/Relay/Elaborate/Elaborator.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ingot::relay {

MaybeVal Elaborator::evalMatch(MatchExpr *match, Frame &frame) {
  INGOT_TRY(value, eval(match->value, frame));
  Type *result = ground(match->type, frame, match->place);
  if (!result)
    return failure();
  std::vector<Row> rows;
  for (const Clause &clause : match->clauses)
    rows.push_back({{clause.pattern}, {}, &clause});
  return matchRows({value}, std::move(rows), result, match->place, frame);
}

static bool isTest(const Pattern *pattern) {
  return pattern && pattern->kind != Pattern::Wildcard && pattern->kind != Pattern::Variable;
}

MaybeVal Elaborator::matchRows(std::vector<Val> columns, std::vector<Row> rows, Type *result,
                               Place place, Frame &frame) {
  if (!spend(place))
    return failure();
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  // Variables stand for what they are tested against.
  for (Row &row : rows)
    for (auto [pattern, column] : llvm::zip(row.patterns, columns))
      if (pattern && pattern->kind == Pattern::Variable) {
        row.bindings.push_back({pattern->var, column});
        pattern = nullptr;
      }
  if (rows.empty()) {
    SmallVector<mlir::Type> flat;
    if (failed(flatten(result, flat, place)))
      return failure();
    ValueRange values = b.create<FailOp>(location("match"), flat).getResults();
    return unflatten(result, values);
  }
  auto tested = llvm::find_if(rows.front().patterns, isTest);
  if (tested == rows.front().patterns.end()) {
    for (auto &[var, value] : rows.front().bindings)
      frame.vars[var] = value;
    return eval(rows.front().clause->body, frame);
  }
  size_t column = tested - rows.front().patterns.begin();
  switch ((*tested)->kind) {
  case Pattern::Tuple: {
    const Val &whole = columns[column];
    std::vector<Val> parts = whole.known->parts;
    rows = rowsFor(rows, column, nullptr, parts.size(), whole);
    columns.erase(columns.begin() + column);
    columns.insert(columns.begin() + column, parts.begin(), parts.end());
    return matchRows(std::move(columns), std::move(rows), result, place, frame);
  }
  case Pattern::Literal:
    return matchLiteral(std::move(columns), std::move(rows), column, result, place, frame);
  default:
    return matchConstructors(std::move(columns), std::move(rows), column, result, place, frame);
  }
}

/// The rows that can still match once `column` is known to be made by `constructor` (null: a tuple)
/// of `arity` fields, which take its place.
std::vector<Elaborator::Row> Elaborator::rowsFor(ArrayRef<Row> rows, size_t column,
                                                 const Constructor *constructor, size_t arity,
                                                 const Val &value) {
  std::vector<Row> result;
  for (const Row &row : rows) {
    Pattern *pattern = row.patterns[column];
    bool isTested = isTest(pattern);
    if (isTested && pattern->constructor != constructor)
      continue;
    Row inner = row;
    inner.patterns.erase(inner.patterns.begin() + column);
    std::vector<Pattern *> fields(arity, nullptr);
    if (isTested)
      fields = pattern->fields;
    inner.patterns.insert(inner.patterns.begin() + column, fields.begin(), fields.end());
    result.push_back(std::move(inner));
  }
  return result;
}

static std::vector<Val> replaceColumn(std::vector<Val> columns, size_t column,
                                      ArrayRef<Val> fields) {
  columns.erase(columns.begin() + column);
  columns.insert(columns.begin() + column, fields.begin(), fields.end());
  return columns;
}

MaybeVal Elaborator::matchConstructors(std::vector<Val> columns, std::vector<Row> rows,
                                       size_t column, Type *result, Place place, Frame &frame) {
  const Val value = columns[column];
  if (value.kind == Val::Data) {
    const std::vector<Val> &fields = value.known->parts;
    return matchRows(replaceColumn(columns, column, fields),
                     rowsFor(rows, column, value.known->constructor, fields.size(), value), result,
                     place, frame);
  }
  std::vector<const Constructor *> tested;
  for (const Row &row : rows)
    if (isTest(row.patterns[column]) &&
        !llvm::is_contained(tested, row.patterns[column]->constructor))
      tested.push_back(row.patterns[column]->constructor);
  llvm::sort(tested, [](auto *x, auto *y) { return x->tag < y->tag; });
  TypeDefinition *definition = tested.front()->owner;
  bool isComplete = tested.size() == definition->constructors.size();
  SmallVector<int64_t> tags;
  for (const Constructor *constructor : tested)
    tags.push_back(constructor->tag);
  Substitution arguments;
  for (auto [param, arg] : llvm::zip(definition->rigid, value.type->args))
    arguments[param] = arg;
  OperationState state(location("match"), MatchOp::getOperationName());
  state.addOperands(value.value);
  state.addAttribute("tags", b.getDenseI64ArrayAttr(tags));
  for (size_t i = 0; i < tags.size() + !isComplete; ++i)
    state.addRegion();
  Operation *op = b.create(state);
  std::vector<Val> values;
  OpBuilder::InsertionGuard guard(b);
  for (auto [i, constructor] : llvm::enumerate(tested)) {
    std::vector<Type *> fieldTypes;
    SmallVector<mlir::Type> flat;
    for (Type *field : constructor->fields) {
      Type *known = types.ground(field, arguments);
      if (!known || failed(flatten(known, flat, place)))
        return failure();
      fieldTypes.push_back(known);
    }
    Block *block = b.createBlock(&op->getRegion(i), {}, flat,
                                 SmallVector<Location>(flat.size(), location("field")));
    ValueRange arguments = block->getArguments();
    std::vector<Val> fields;
    for (Type *field : fieldTypes)
      fields.push_back(unflatten(field, arguments));
    INGOT_TRY(each, matchRows(replaceColumn(columns, column, fields),
                              rowsFor(rows, column, constructor, fields.size(), value), result,
                              place, frame));
    values.push_back(each);
  }
  if (!isComplete) {
    b.createBlock(&op->getRegion(tested.size()));
    std::vector<Row> others;
    for (Row &row : rows)
      if (!isTest(row.patterns[column]))
        others.push_back(row);
    INGOT_TRY(each, matchRows(columns, std::move(others), result, place, frame));
    values.push_back(each);
  }
  return join(op, values, result, place);
}

MaybeVal Elaborator::matchLiteral(std::vector<Val> columns, std::vector<Row> rows, size_t column,
                                  Type *result, Place place, Frame &frame) {
  auto *literal = cast<LiteralExpr>(rows.front().patterns[column]->literal);
  INGOT_TRY(wanted, evalConstant(literal));
  Value value = columns[column].value;
  bool isBool = literal->element == "bool";
  Value condition = value;
  if (!isBool)
    condition = b.create<EqualOp>(location("match"), value, wanted.value);
  else if (!literal->integer)
    condition = b.create<NotOp>(location("match"), value);
  std::vector<Row> equal, others;
  for (const Row &row : rows) {
    Pattern *pattern = row.patterns[column];
    bool isSame =
        isTest(pattern) && cast<LiteralExpr>(pattern->literal)->integer == literal->integer;
    if (isSame || !isTest(pattern)) {
      equal.push_back(row);
      equal.back().patterns[column] = nullptr;
    }
    if (!isSame) {
      others.push_back(row);
      // Of two values of bool the other one is left.
      if (isBool)
        others.back().patterns[column] = nullptr;
    }
  }
  OperationState state(location("match"), IfOp::getOperationName());
  state.addOperands(condition);
  state.addRegion();
  state.addRegion();
  Operation *op = b.create(state);
  std::vector<Val> values;
  OpBuilder::InsertionGuard guard(b);
  for (auto [region, list] :
       {std::pair{&op->getRegion(0), &equal}, std::pair{&op->getRegion(1), &others}}) {
    b.createBlock(region);
    INGOT_TRY(each, matchRows(columns, *list, result, place, frame));
    values.push_back(each);
  }
  return join(op, values, result, place);
}

} // namespace ingot::relay
