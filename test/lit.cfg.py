import os
import lit.formats

config.name = "ingot"
config.test_format = lit.formats.ShTest(not lit_config.useValgrind)
config.suffixes = [".mlir", ".onnxtxt", ".test"]
config.excludes = ["CMakeLists.txt", "golden", "Inputs"]
config.test_source_root = os.path.join(config.ingot_source, "test")
config.test_exec_root = os.path.join(config.ingot_build, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ingot_build, "bin"), "/usr/lib/llvm-19/bin", os.environ["PATH"]])
