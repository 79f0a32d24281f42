//===- Type.cpp - Types of Relay, with unknowns -----------------------------------------------===//

#include "Import/Relay/Types/Type.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

namespace ingot::relay {

/// Types nested deeper are refused.
static constexpr unsigned maxDepth = 400;
/// Types of more nodes are refused where a program is evaluated.
static constexpr int64_t maxSize = 32'768;

Type *resolve(Type *type) {
  while (type->kind == Type::Unknown && type->link) {
    if (type->link->kind == Type::Unknown && type->link->link)
      type->link = type->link->link;
    type = type->link;
  }
  return type;
}

Type *TypeContext::add(Type type) {
  types.push_back(std::make_unique<Type>(std::move(type)));
  return types.back().get();
}

Type *TypeContext::unknown(unsigned level) {
  Type type{Type::Unknown};
  type.level = level;
  return add(std::move(type));
}

Type *TypeContext::rigid(llvm::StringRef name) {
  Type type{Type::Rigid};
  type.name = name.str();
  return add(std::move(type));
}

Type *TypeContext::tensor(llvm::ArrayRef<int64_t> dims, mlir::Type element) {
  Type type{Type::Tensor};
  type.dims = dims.vec();
  type.element = element;
  return intern(std::move(type));
}

Type *TypeContext::tuple(llvm::ArrayRef<Type *> fields) {
  Type type{Type::Tuple};
  type.args = fields.vec();
  return add(std::move(type));
}

Type *TypeContext::function(llvm::ArrayRef<Type *> args) {
  Type type{Type::Function};
  type.args = args.vec();
  return add(std::move(type));
}

Type *TypeContext::data(TypeDefinition *definition, llvm::ArrayRef<Type *> args) {
  Type type{Type::Data};
  type.definition = definition;
  type.args = args.vec();
  return add(std::move(type));
}

Type *TypeContext::reference(Type *content) {
  Type type{Type::Reference};
  type.args = {content};
  return add(std::move(type));
}

Type *TypeContext::intern(Type type) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << int(type.kind) << ' ' << type.element.getAsOpaquePointer() << ' ' << type.definition << ' '
     << type.name;
  for (int64_t dim : type.dims)
    os << ' ' << dim;
  os << ':';
  for (Type *arg : type.args)
    os << ' ' << arg;
  Type *&found = interned[key];
  if (!found) {
    for (Type *arg : type.args)
      type.size += arg->size;
    found = add(std::move(type));
  }
  return found;
}

TypeContext::Occurs TypeContext::occurs(Type *unknown, Type *in, unsigned depth,
                                        llvm::DenseMap<Type *, bool> &seen) {
  in = resolve(in);
  if (in == unknown)
    return Occurs::Yes;
  if (depth > maxDepth || --fuel < 0)
    return Occurs::TooLarge;
  if (in->kind == Type::Unknown)
    in->level = std::min(in->level, unknown->level);
  if (in->args.empty() || !seen.insert({in, true}).second)
    return Occurs::No;
  for (Type *arg : in->args)
    if (Occurs found = occurs(unknown, arg, depth + 1, seen); found != Occurs::No)
      return found;
  return Occurs::No;
}

TypeContext::Unified TypeContext::unify(Type *a, Type *b) {
  struct Pair {
    Type *a, *b;
    unsigned depth;
  };
  std::vector<Pair> work{{a, b, 0}};
  while (!work.empty()) {
    Pair pair = work.back();
    work.pop_back();
    a = resolve(pair.a);
    b = resolve(pair.b);
    if (a == b)
      continue;
    if (pair.depth > maxDepth || --fuel < 0)
      return Unified::TooLarge;
    if (b->kind == Type::Unknown && a->kind != Type::Unknown)
      std::swap(a, b);
    if (a->kind == Type::Unknown) {
      llvm::DenseMap<Type *, bool> seen;
      Occurs found = occurs(a, b, 0, seen);
      if (found != Occurs::No)
        return found == Occurs::Yes ? Unified::Infinite : Unified::TooLarge;
      a->link = b;
      continue;
    }
    if (a->kind != b->kind || a->args.size() != b->args.size() || a->kind == Type::Rigid ||
        a->definition != b->definition)
      return Unified::No;
    if (a->kind == Type::Tensor) {
      if (a->element != b->element || a->dims.size() != b->dims.size())
        return Unified::No;
      for (auto [x, y] : llvm::zip(a->dims, b->dims))
        if (x != y && x != -1 && y != -1)
          return Unified::No;
    }
    for (size_t i = a->args.size(); i-- > 0;)
      work.push_back({a->args[i], b->args[i], pair.depth + 1});
  }
  return Unified::Yes;
}

Type *TypeContext::rebuild(Type *type, const Substitution &substitution, bool isGround,
                           unsigned depth, Substitution &memo) {
  type = resolve(type);
  if (auto it = substitution.find(type); it != substitution.end())
    return isGround && it->second != type
               ? rebuild(it->second, substitution, isGround, depth + 1, memo)
               : it->second;
  if (depth > maxDepth || --fuel < 0)
    return nullptr;
  if (type->kind == Type::Unknown)
    return isGround ? intern(Type(Type::Tuple)) : type;
  if (type->kind == Type::Tensor || type->kind == Type::Rigid)
    return type;
  if (Type *known = memo.lookup(type))
    return known;
  Type copy{type->kind};
  copy.definition = type->definition;
  bool isSame = true;
  for (Type *arg : type->args) {
    Type *rebuilt = rebuild(arg, substitution, isGround, depth + 1, memo);
    if (!rebuilt)
      return nullptr;
    isSame &= rebuilt == arg;
    copy.args.push_back(rebuilt);
  }
  Type *result = isGround ? intern(std::move(copy)) : isSame ? type : add(std::move(copy));
  if (result->size > maxSize)
    return nullptr;
  memo[type] = result;
  return result;
}

Type *TypeContext::substitute(Type *type, const Substitution &substitution) {
  Substitution memo;
  return rebuild(type, substitution, /*isGround=*/false, 0, memo);
}

Type *TypeContext::ground(Type *type, const Substitution &substitution) {
  Substitution memo;
  return rebuild(type, substitution, /*isGround=*/true, 0, memo);
}

void TypeContext::visit(Type *type, llvm::function_ref<void(Type *)> each) {
  std::vector<Type *> work{type};
  llvm::DenseSet<Type *> seen;
  while (!work.empty()) {
    Type *next = resolve(work.back());
    work.pop_back();
    if (!seen.insert(next).second)
      continue;
    each(next);
    work.insert(work.end(), next->args.rbegin(), next->args.rend());
  }
}

void TypeContext::collectUnknowns(Type *type, unsigned level, std::vector<Type *> &unknowns) {
  visit(type, [&](Type *each) {
    if (each->kind == Type::Unknown && each->level > level && !llvm::is_contained(unknowns, each))
      unknowns.push_back(each);
  });
}

void TypeContext::limitLevel(Type *type, unsigned level) {
  visit(type, [&](Type *each) {
    if (each->kind == Type::Unknown)
      each->level = std::min(each->level, level);
  });
}

bool TypeContext::isKnown(Type *type) {
  bool isKnown = true;
  visit(type, [&](Type *each) { isKnown &= each->kind != Type::Unknown; });
  return isKnown;
}

static std::string elementName(mlir::Type element) {
  if (element.isInteger(1))
    return "bool";
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned bits = element.getIntOrFloatBitWidth();
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    os << (integer.isUnsigned() ? "uint" : "int") << bits;
  else
    os << (element.isBF16() ? "bfloat" : "float") << bits;
  return text;
}

void TypeContext::printTo(std::string &out, Type *type, unsigned depth, unsigned &nextName,
                          llvm::DenseMap<Type *, std::string> &names) {
  type = resolve(type);
  if (depth > 12 || out.size() > 400) {
    out += "...";
    return;
  }
  auto list = [&](llvm::ArrayRef<Type *> args) {
    for (auto [i, arg] : llvm::enumerate(args)) {
      out += i ? ", " : "";
      printTo(out, arg, depth + 1, nextName, names);
    }
  };
  switch (type->kind) {
  case Type::Unknown: {
    std::string &name = names[type];
    if (name.empty())
      name = "?" + std::string(1, static_cast<char>('a' + nextName++ % 26));
    out += name;
    break;
  }
  case Type::Rigid:
    out += type->name;
    break;
  case Type::Tensor:
    if (type->dims.empty()) {
      out += elementName(type->element);
      break;
    }
    out += "Tensor[(";
    for (auto [i, dim] : llvm::enumerate(type->dims))
      out += (i ? ", " : "") + (dim < 0 ? std::string("?") : std::to_string(dim));
    out +=
        std::string(type->dims.size() == 1 ? "," : "") + "), " + elementName(type->element) + "]";
    break;
  case Type::Tuple:
    out += "(";
    list(type->args);
    out += type->args.size() == 1 ? ",)" : ")";
    break;
  case Type::Function:
    out += "fn(";
    list(llvm::ArrayRef(type->args).drop_back());
    out += ") -> ";
    printTo(out, type->result(), depth + 1, nextName, names);
    break;
  case Type::Data:
    out += type->definition->name;
    if (!type->args.empty()) {
      out += "[";
      list(type->args);
      out += "]";
    }
    break;
  case Type::Reference:
    out += "ref(";
    list(type->args);
    out += ")";
    break;
  }
}

std::string TypeContext::print(Type *type) {
  std::string text;
  unsigned nextName = 0;
  llvm::DenseMap<Type *, std::string> names;
  printTo(text, type, 0, nextName, names);
  return text;
}

} // namespace ingot::relay
