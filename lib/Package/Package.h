//===- Package.h - Files of a compiled model --------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <string>
#include <vector>

namespace ingot {

/// The files one compilation writes: first aside, then, when all is well, into the folder.
class FileSet {
public:
  explicit FileSet(std::string folder) : folder(std::move(folder)) {}
  /// Removes what was not committed.
  ~FileSet();

  /// Writes `bytes` as `name`, for now aside.
  llvm::Error add(llvm::StringRef name, llvm::StringRef bytes);
  /// Where a tool may write `name` itself, before commit.
  llvm::Expected<std::string> reserve(llvm::StringRef name);
  /// The place of a file added before, until commit.
  std::string pending(llvm::StringRef name) const { return scratch + "/" + name.str(); }
  /// Writes a file that is only needed until commit; its path.
  llvm::Expected<std::string> scratchFile(llvm::StringRef name, llvm::StringRef bytes);
  /// Moves every file to its place; their paths.
  llvm::Expected<std::vector<std::string>> commit();

private:
  llvm::Error prepare();
  std::string folder, scratch;
  bool madeFolder = false;
  std::vector<std::string> names;
};

/// The object file of `module`, which is optimised already.
llvm::Expected<std::string> makeObject(llvm::Module &module, llvm::TargetMachine &machine);

/// A static library with one member.
llvm::Expected<std::string> makeArchive(llvm::StringRef member, llvm::StringRef object);

/// Links `object` (a path) into the shared library `output` with the C compiler or lld found on the
/// machine.
llvm::Error linkShared(llvm::StringRef object, llvm::StringRef output);

} // namespace ingot
