//===- Exhaustive.cpp - What a match leaves out, and what it says twice -----------------------===//

#include "Import/Relay/Types/Exhaustive.h"
#include "llvm/ADT/ScopeExit.h"

namespace ingot::relay {

namespace {

/// Patterns of one clause, leftmost first; null stands for anything.
using Row = std::vector<const Pattern *>;

/// What can stand at the head of a value: a constructor, the only form of a tuple, or a literal.
struct Head {
  const Constructor *constructor = nullptr;
  size_t arity = 0;
  std::optional<int64_t> literal;
  bool isBool = false;

  bool operator==(const Head &other) const {
    return constructor == other.constructor && literal == other.literal;
  }
};

class Usefulness {
public:
  /// A value that `query` covers and no row does, as text for each column; nothing if there is
  /// none.
  std::optional<std::vector<std::string>> find(const std::vector<Row> &rows, const Row &query);
  bool isTooComplex() const { return fuel < 0; }

private:
  static const Pattern *normal(const Pattern *pattern) {
    bool matchesAll =
        !pattern || pattern->kind == Pattern::Wildcard || pattern->kind == Pattern::Variable;
    return matchesAll ? nullptr : pattern;
  }
  static Head headOf(const Pattern &pattern);
  /// `row` for values with this head at the front, or nothing if it covers none.
  static std::optional<Row> specialise(const Row &row, const Head &head);
  static std::string print(const Head &head, llvm::ArrayRef<std::string> fields);

  int64_t fuel = 200'000;
  unsigned depth = 0;
};

} // namespace

Head Usefulness::headOf(const Pattern &pattern) {
  Head head;
  head.constructor = pattern.constructor;
  head.arity = pattern.fields.size();
  if (pattern.kind == Pattern::Literal) {
    auto *literal = llvm::cast<LiteralExpr>(pattern.literal);
    head.literal = literal->integer;
    head.isBool = literal->element == "bool";
  }
  return head;
}

std::optional<Row> Usefulness::specialise(const Row &row, const Head &head) {
  const Pattern *first = normal(row.front());
  Row result;
  if (!first) {
    result.assign(head.arity, nullptr);
  } else {
    if (!(headOf(*first) == head))
      return std::nullopt;
    result.assign(first->fields.begin(), first->fields.end());
  }
  result.insert(result.end(), row.begin() + 1, row.end());
  return result;
}

std::string Usefulness::print(const Head &head, llvm::ArrayRef<std::string> fields) {
  if (head.literal)
    return head.isBool ? (*head.literal ? "True" : "False") : std::to_string(*head.literal);
  std::string text = head.constructor ? head.constructor->name : "";
  if (head.arity == 0 && head.constructor)
    return text;
  text += "(";
  for (auto [i, field] : llvm::enumerate(fields))
    text += (i ? ", " : "") + field;
  return text + ")";
}

std::optional<std::vector<std::string>> Usefulness::find(const std::vector<Row> &rows,
                                                         const Row &query) {
  // Wide tuples nest as deeply here as they are wide.
  if (depth > 2000)
    fuel = -1;
  if (--fuel < 0)
    return std::nullopt;
  ++depth;
  auto leave = llvm::make_scope_exit([&] { --depth; });
  if (query.empty())
    return rows.empty() ? std::optional(std::vector<std::string>()) : std::nullopt;
  auto under = [&](const Head &head) -> std::optional<std::vector<std::string>> {
    std::vector<Row> inner;
    for (const Row &row : rows)
      if (auto special = specialise(row, head))
        inner.push_back(std::move(*special));
    auto witness = find(inner, *specialise(query, head));
    if (!witness)
      return std::nullopt;
    std::vector<std::string> result{print(head, llvm::ArrayRef(*witness).take_front(head.arity))};
    result.insert(result.end(), witness->begin() + head.arity, witness->end());
    return result;
  };
  if (const Pattern *first = normal(query.front()))
    return under(headOf(*first));
  std::vector<Head> heads;
  for (const Row &row : rows)
    if (const Pattern *first = normal(row.front()))
      if (Head head = headOf(*first); !llvm::is_contained(heads, head))
        heads.push_back(head);
  std::vector<Head> all;
  if (!heads.empty() && heads[0].constructor) {
    for (auto &constructor : heads[0].constructor->owner->constructors)
      all.push_back({constructor.get(), constructor->fields.size(), std::nullopt, false});
  } else if (!heads.empty() && heads[0].literal && heads[0].isBool) {
    all.push_back({nullptr, 0, 1, true});
    all.push_back({nullptr, 0, 0, true});
  } else if (!heads.empty() && !heads[0].literal) {
    all = heads;
  }
  const Head *missing = nullptr;
  for (const Head &head : all)
    if (!missing && !llvm::is_contained(heads, head))
      missing = &head;
  if (!all.empty() && !missing) {
    for (const Head &head : all)
      if (auto witness = under(head))
        return witness;
    return std::nullopt;
  }
  std::vector<Row> rest;
  for (const Row &row : rows)
    if (!normal(row.front()))
      rest.emplace_back(row.begin() + 1, row.end());
  auto witness = find(rest, Row(query.begin() + 1, query.end()));
  if (!witness)
    return std::nullopt;
  std::string first = "_";
  if (missing)
    first = print(*missing, std::vector<std::string>(missing->arity, "_"));
  else if (!heads.empty())
    first = "another literal";
  witness->insert(witness->begin(), first);
  return witness;
}

void checkExhaustive(const MatchExpr &match, TypeContext &types, Reporter &reporter) {
  Usefulness usefulness;
  std::vector<Row> rows;
  for (const Clause &clause : match.clauses) {
    Row row{clause.pattern};
    bool isUseful = usefulness.find(rows, row).has_value();
    if (!isUseful && !usefulness.isTooComplex())
      reporter.error(clause.pattern->place,
                     "no value reaches this clause: those above cover all that it matches");
    rows.push_back(std::move(row));
  }
  if (match.isTotal)
    if (auto witness = usefulness.find(rows, {nullptr}))
      reporter.error(match.place, "this match does not cover " + witness->front() +
                                      "; add a clause, or write match?");
  if (usefulness.isTooComplex())
    reporter.error(match.place, "the patterns of this match are too involved to be checked");
}

} // namespace ingot::relay
