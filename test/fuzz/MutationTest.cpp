//===- MutationTest.cpp - Damaged models ------------------------------------------------------===//
//
// The files below SEEDS that end in SEED_ENDING, with bytes changed, cut and doubled, by a fixed
// seed: the importer must answer each with a diagnostic or a module.
//
//===----------------------------------------------------------------------------------------===//

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <random>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

TEST(Import, SurvivesDamage) {
  if (!llvm::sys::fs::is_directory(SEEDS))
    GTEST_SKIP() << "no " << SEEDS << ": run scripts/install-deps.sh";
  std::vector<std::string> models;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(SEEDS, error), end; it != end && !error;
       it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(SEED_ENDING))
      models.push_back(it->path());
  std::sort(models.begin(), models.end());
  ASSERT_FALSE(models.empty());
  std::mt19937 engine(1);
  auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(engine);
  };
  for (size_t i = 0; i < models.size(); i += 2) {
    auto file = llvm::MemoryBuffer::getFile(models[i]);
    ASSERT_TRUE(bool(file));
    std::string whole = (*file)->getBuffer().str();
    if (whole.size() > 20000)
      continue;
    for (int round = 0; round < 200; ++round) {
      std::string bytes = whole;
      for (size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
        size_t at = below(bytes.size());
        switch (below(5)) {
        case 0:
          bytes.resize(at);
          break;
        case 1:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 2:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
          break;
        case 3:
          bytes.insert(at, bytes.substr(at, below(40) + 1));
          break;
        default:
          bytes.erase(at, below(20) + 1);
        }
      }
      SCOPED_TRACE(models[i]);
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    }
  }
}
