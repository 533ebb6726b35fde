// Exports a kernel: a C header with the signature and the shapes, beside an object file, a shared
// library or the header alone. Object and header are staged under `.tmpPID` names and renamed
// together; a failure removes what was renamed before it. Libraries are linked by the first of cc,
// gcc and clang in PATH. The name must be a C identifier. Errors: InputError for names and files,
// MachineError without a linker.
#include "backends/export_kernel.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/text.h"

extern char** environ;

namespace schedulegym {
namespace {

// Keywords of C and C++ that a function cannot be called.
constexpr std::array<std::string_view, 46> kKeywords = {
    "auto",     "bool",    "break",    "case",     "catch",   "char",     "class",  "const",
    "continue", "default", "delete",   "do",       "double",  "else",     "enum",   "extern",
    "false",    "float",   "for",      "friend",   "goto",    "if",       "inline", "int",
    "long",     "main",    "new",      "operator", "private", "public",   "return", "short",
    "signed",   "sizeof",  "static",   "struct",   "switch",  "template", "this",   "true",
    "typedef",  "union",   "unsigned", "virtual",  "void",    "while"};

bool IsIdentifier(std::string_view name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  if (std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end()) return false;
  return std::all_of(name.begin(), name.end(), fits);
}

const char* CTypeName(DType type) {
  switch (type) {
    case DType::kF32: return "float";
    case DType::kF64: return "double";
    case DType::kI32: return "int32_t";
    case DType::kI8: return "int8_t";
    default: return "uint16_t";
  }
}

// "const float* A, float* C".
std::string ParameterList(const LoopProgram& program) {
  std::vector<std::string> parts;
  for (const Parameter& parameter : program.parameters) {
    const std::string type = parameter.is_packed ? "void" : CTypeName(parameter.type);
    parts.push_back((parameter.is_output ? "" : "const ") + type + "* " + parameter.name);
  }
  return Join(parts, ", ");
}

// "f32[512, 512]" of a plain parameter.
std::string ShapeText(const LoopProgram& program, size_t position) {
  const Parameter& parameter = program.parameters[position];
  for (const Buffer& buffer : program.buffers) {
    if (buffer.parameter != static_cast<int>(position)) continue;
    return std::string(DTypeName(parameter.type)) + "[" + Join(buffer.shape, ", ") + "]";
  }
  const int64_t elements = parameter.bytes / SizeInBytes(parameter.type);
  return std::string(DTypeName(parameter.type)) + "[" + std::to_string(elements) + "]";
}

constexpr std::array<const char*, 3> kDrivers = {"cc", "gcc", "clang"};
constexpr int kNotFound = 127;

// The exit status of a program found on the path, its output discarded; nullopt if it is not
// there.
std::optional<int> RunQuietly(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  if (!WIFEXITED(status)) return -1;
  return WEXITSTATUS(status) == kNotFound ? std::nullopt : std::optional(WEXITSTATUS(status));
}

}  // namespace

std::string HeaderText(const LoopProgram& program, const std::string& name) {
  std::string text = "#pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n\n";
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += "/* Tensors are dense and row-major and must not overlap.\n";
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    text += "   " + parameter.name + ": ";
    text += parameter.is_packed
                ? std::to_string(parameter.bytes) + " bytes at a multiple of 64, from " + name +
                      "_pack_" + parameter.name
                : ShapeText(program, i);
    text += parameter.is_output ? ", written\n" : "\n";
  }
  text +=
      "   Returns 0, or ENOTSUP where the processor lacks what this was compiled for, or ENOMEM. "
      "*/\n";
  text += "int " + name + "(" + ParameterList(program) + ");\n";
  for (const WeightPack& pack : program.packs) {
    const std::string weight = program.parameters[pack.parameter].name;
    text.append("\nsize_t ").append(name).append("_packed_").append(weight);
    text.append("_bytes(void);\nint ").append(name).append("_pack_").append(weight);
    text.append("(const ").append(CTypeName(pack.program->parameters[0].type));
    text += "* plain, void* packed);\n";
  }
  return text + "\n#ifdef __cplusplus\n}\n#endif\n";
}

std::string ExportName(const std::string& prefix) {
  const std::string name = std::filesystem::path(prefix).filename().string();
  if (IsIdentifier(name)) return name;
  throw InputError("export prefix '" + prefix + "' ends in '" + name +
                   "', expected a C identifier");
}

ExportedFiles WriteExport(const std::string& object, const std::string& header,
                          const std::string& prefix) {
  OutputFile object_file(prefix + ".o"), shared_file(prefix + ".so"), header_file(prefix + ".h");
  object_file.Write(object);
  header_file.Write(header);
  LinkSharedObject(object_file.temporary_path(), shared_file.temporary_path());
  for (OutputFile* file : {&object_file, &shared_file, &header_file}) file->Commit();
  return ExportedFiles{prefix + ".o", prefix + ".so", prefix + ".h"};
}

void LinkSharedObject(const std::string& object_path, const std::string& shared_path) {
  for (const char* driver : kDrivers) {
    const auto status =
        RunQuietly({driver, "-shared", "-o", shared_path, object_path, "-Wl,--as-needed",
                    "-Wl,-z,noexecstack", "-lpthread", "-lmvec", "-lm"});
    if (!status) continue;
    if (*status == 0) return;
    throw MachineError(std::string("'") + driver + "' failed to link " + shared_path +
                       ": expected a compiler driver that finds libpthread, libmvec and libm");
  }
  throw MachineError("no linker for " + shared_path +
                     ": found none of cc, gcc, clang, expected one (Debian package gcc)");
}

}  // namespace schedulegym
