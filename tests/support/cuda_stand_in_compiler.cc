// A stand-in for NVRTC: a library with the functions that Nvrtc looks up. Its "machine code" is a
// shared object that g++ compiles from the text with cuda_on_host.h, for the stand-in driver.
// Lines in the text define how its kernels behave there:
//   // stand-in: fault=illegal_address   or failed, lost, launch (is rejected), hang
//   // stand-in: seconds=0.001           of each kernel; default: the time measured here
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "backends/cuda/nvrtc_functions.h"

namespace schedulegym::nvrtc {
struct OpaqueProgram {
  std::string source, log, cubin;
};
}  // namespace schedulegym::nvrtc

namespace {

using schedulegym::nvrtc::OpaqueProgram;

constexpr int kCompilationFailed = 6;
constexpr int kArchitectures[] = {80, 86, 89, 90};

std::string Marked(const std::string& source, const std::string& key,
                   const std::string& otherwise) {
  const std::string mark = "// stand-in: " + key + "=";
  const size_t begin = source.find(mark);
  if (begin == std::string::npos) return otherwise;
  return source.substr(begin + mark.size(), source.find('\n', begin) - begin - mark.size());
}

// Adds a function launch_NAME for each kernel, and a line of ptxas.
void AddLaunches(OpaqueProgram* program, std::string* text) {
  const std::string mark = "__launch_bounds__(";
  for (size_t at = program->source.find(mark); at != std::string::npos;
       at = program->source.find(mark, at + 1)) {
    const size_t begin =
        program->source.find_first_not_of(" \n", program->source.find(')', at) + 1);
    const size_t open = program->source.find('(', begin), close = program->source.find(')', open);
    const std::string name = program->source.substr(begin, open - begin);
    const std::string parameters = program->source.substr(open, close - open);
    int count = parameters.find('*') == std::string::npos ? 0 : 1;
    for (const char c : parameters) count += c == ',' ? 1 : 0;
    *text += "extern \"C\" {\nextern const int arguments_" + name + " = " + std::to_string(count) +
             ";\n}\nextern \"C\" const char* launch_" + name +
             "(const unsigned* b, const unsigned* t, void** a) {\n"
             "  (void)a;\n  cuda_on_host::failure = {};\n"
             "  cuda_on_host::Launch({b[0], b[1], b[2]}, {t[0], t[1], t[2]}, "
             "cuda_on_host::kAscending, [&] { " +
             name + "(";
    for (int i = 0; i < count; ++i) {
      *text += (i > 0 ? ", " : "") + ("cuda_on_host::Pointer{a[" + std::to_string(i) + "]}");
    }
    *text += "); });\n  return cuda_on_host::failure.line;\n}\n";
    program->log += "ptxas info    : Function properties for " + name +
                    "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                    "ptxas info    : Used 32 registers, used 1 barriers\n";
  }
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

int Build(OpaqueProgram* program, const std::string& architecture) {
  std::string folder = (std::filesystem::temp_directory_path() / "sg-stand-in-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return kCompilationFailed;
  std::string text =
      "#include \"tests/support/cuda_on_host.h\"\n" + program->source +
      "\nextern \"C\" {\nextern const char stand_in_fault[] = \"" +
      Marked(program->source, "fault", "") +
      "\";\nextern const double stand_in_seconds = " + Marked(program->source, "seconds", "0") +
      ";\nextern const char stand_in_architecture[] = \"" + architecture + "\";\n}\n";
  AddLaunches(program, &text);
  std::ofstream(folder + "/kernels.cc") << text;
  // Workers have no PATH.
  const std::string command = "PATH=/usr/local/bin:/usr/bin:/bin; export PATH; cd " + folder +
                              " && g++ -std=c++14 -O1 -w -ffp-contract=off -shared -fPIC -I " +
                              SG_SOURCE_DIR + " -o kernels.so kernels.cc 2> log";
  const int status = std::system(command.c_str());
  if (status != 0) program->log = ReadFile(folder + "/log");
  program->cubin = ReadFile(folder + "/kernels.so");
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return status == 0 ? 0 : kCompilationFailed;
}

int Size(const std::string& text, size_t* bytes) {
  *bytes = text.size();
  return 0;
}

int Copy(const std::string& text, char* to) {
  std::memcpy(to, text.data(), text.size());
  return 0;
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = static_cast<int>(std::size(kArchitectures));
  return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
  std::memcpy(architectures, kArchitectures, sizeof kArchitectures);
  return 0;
}
int nvrtcCreateProgram(OpaqueProgram** program, const char* source, const char*, int,
                       const char* const*, const char* const*) {
  *program = new OpaqueProgram{source, "", ""};
  return 0;
}
int nvrtcDestroyProgram(OpaqueProgram** program) {
  delete *program;
  return 0;
}
int nvrtcCompileProgram(OpaqueProgram* program, int count, const char* const* options) {
  const std::string key = "--gpu-architecture=";
  std::string architecture;
  for (int i = 0; i < count; ++i) {
    const std::string option = options[i];
    if (option.starts_with(key)) architecture = option.substr(key.size());
  }
  return Build(program, architecture);
}
int nvrtcGetProgramLogSize(OpaqueProgram* program, size_t* bytes) {
  return Size(program->log, bytes);
}
int nvrtcGetProgramLog(OpaqueProgram* program, char* text) { return Copy(program->log, text); }
int nvrtcGetPTXSize(OpaqueProgram* program, size_t* bytes) { return Size(program->source, bytes); }
int nvrtcGetPTX(OpaqueProgram* program, char* text) { return Copy(program->source, text); }
int nvrtcGetCUBINSize(OpaqueProgram* program, size_t* bytes) { return Size(program->cubin, bytes); }
int nvrtcGetCUBIN(OpaqueProgram* program, char* text) { return Copy(program->cubin, text); }
const char* nvrtcGetErrorString(int) { return "an error of the stand-in"; }

}  // extern "C"
