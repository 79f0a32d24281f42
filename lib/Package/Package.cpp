//===- Package.cpp - Files of a compiled model ------------------------------------------------===//

#include "Package/Package.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace ingot {

namespace fs = llvm::sys::fs;

static llvm::Error systemError(const llvm::Twine &what, std::error_code code) {
  return llvm::createStringError(code, what + ": " + code.message());
}

FileSet::~FileSet() {
  if (!scratch.empty())
    fs::remove_directories(scratch);
  if (madeFolder)
    fs::remove(folder); // Only if nothing came to be in it.
}

llvm::Error FileSet::prepare() {
  if (!scratch.empty())
    return llvm::Error::success();
  if (!fs::is_directory(folder)) {
    if (auto error = fs::create_directories(folder))
      return systemError("cannot create " + folder, error);
    madeFolder = true;
  }
  // Beside the destination, so that moving is renaming.
  llvm::SmallString<128> path;
  if (auto error = fs::createUniqueDirectory("", path))
    return systemError("cannot create a temporary folder", error);
  fs::remove(path);
  scratch = folder + "/.ingot-" + llvm::sys::path::filename(path).str();
  if (auto error = fs::create_directory(scratch)) {
    scratch.clear();
    return systemError("cannot write to " + folder, error);
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> FileSet::reserve(llvm::StringRef name) {
  if (auto error = prepare())
    return error;
  names.push_back(name.str());
  return pending(name);
}

static llvm::Error writeFile(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << bytes;
    out.close();
    error = out.error();
    out.clear_error();
  }
  return error ? systemError("cannot write " + path, error) : llvm::Error::success();
}

llvm::Error FileSet::add(llvm::StringRef name, llvm::StringRef bytes) {
  auto path = reserve(name);
  return path ? writeFile(*path, bytes) : path.takeError();
}

llvm::Expected<std::string> FileSet::scratchFile(llvm::StringRef name, llvm::StringRef bytes) {
  if (auto error = prepare())
    return error;
  std::string path = pending(name);
  if (auto error = writeFile(path, bytes))
    return error;
  return path;
}

llvm::Expected<std::vector<std::string>> FileSet::commit() {
  std::vector<std::string> paths;
  for (const std::string &name : names) {
    std::string path = folder + "/" + name;
    if (auto error = fs::rename(pending(name), path))
      return systemError("cannot write " + path, error);
    paths.push_back(path);
  }
  madeFolder = false;
  return paths;
}

llvm::Expected<std::string> makeObject(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("object files cannot be made for " +
                                   machine.getTargetTriple().str());
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

llvm::Expected<std::string> makeArchive(llvm::StringRef member, llvm::StringRef object) {
  std::vector<llvm::NewArchiveMember> members;
  members.emplace_back(llvm::MemoryBufferRef(object, member));
  auto archive = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab,
                                            llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                            /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return (*archive)->getBuffer().str();
}

llvm::Error linkShared(llvm::StringRef object, llvm::StringRef output) {
  struct Linker {
    const char *name;
    std::vector<llvm::StringRef> before;
  };
  const Linker linkers[] = {{"cc", {"-shared"}},
                            {"gcc", {"-shared"}},
                            {"clang-19", {"-shared"}},
                            {"ld.lld-19", {"-shared"}}};
  for (const Linker &linker : linkers) {
    auto path = llvm::sys::findProgramByName(linker.name);
    if (!path)
      continue;
    std::vector<llvm::StringRef> arguments{*path};
    arguments.insert(arguments.end(), linker.before.begin(), linker.before.end());
    arguments.insert(arguments.end(), {object, "-o", output, "-lm"});
    std::string message;
    int status = llvm::sys::ExecuteAndWait(*path, arguments, std::nullopt, {}, 0, 0, &message);
    if (status == 0)
      return llvm::Error::success();
    return llvm::createStringError(llvm::Twine(linker.name) + " could not link " + output + " " +
                                   message);
  }
  return llvm::createStringError(
      "a shared library needs a linker: install gcc or lld-19, or use --emit lib");
}

} // namespace ingot
