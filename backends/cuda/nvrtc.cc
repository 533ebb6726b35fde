// NVRTC through its C interface. A compilation to a real architecture gives PTX and machine code at
// once; ptxas runs within the library, and `--ptxas-options=-v` puts its figures into the log. The
// library needs no driver and no other file of the toolkit. Cost: 60 ms to open, 20 to 600 ms for a
// compilation.
#include "backends/cuda/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>

#include "backends/cuda/nvrtc_functions.h"
#include "backends/cuda/resource_log.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

struct Nvrtc::Functions {
  nvrtc::Version* version;
  nvrtc::GetNumSupportedArchs* architecture_count;
  nvrtc::GetSupportedArchs* architectures;
  nvrtc::CreateProgram* create;
  nvrtc::DestroyProgram* destroy;
  nvrtc::CompileProgram* compile;
  nvrtc::GetSize* log_size;
  nvrtc::GetText* log;
  nvrtc::GetSize* ptx_size;
  nvrtc::GetText* ptx;
  nvrtc::GetSize* cubin_size;
  nvrtc::GetText* cubin;
  nvrtc::GetErrorString* error;
};

namespace {

constexpr const char* kInstall = "./sg setup cuda installs it (Python package nvidia-cuda-nvrtc)";

template <typename Function>
void Find(void* library, const std::string& path, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(dlsym(library, name));
  if (*function == nullptr) {
    throw MachineError(path + " has no function " + name + ", expected NVRTC 12 or 13");
  }
}

std::string FileOf(void* symbol, const std::string& fallback) {
  Dl_info found{};
  if (dladdr(symbol, &found) == 0 || found.dli_fname == nullptr) return fallback;
  return found.dli_fname;
}

// One compilation's program, destroyed with it.
class OpenProgram {
 public:
  OpenProgram(nvrtc::DestroyProgram* destroy, nvrtc::Program program)
      : destroy_(destroy), program_(program) {}
  ~OpenProgram() { destroy_(&program_); }
  OpenProgram(const OpenProgram&) = delete;
  OpenProgram& operator=(const OpenProgram&) = delete;

  std::string Get(nvrtc::GetSize* size_of, nvrtc::GetText* get) const {
    size_t bytes = 0;
    if (size_of(program_, &bytes) != nvrtc::kSuccess || bytes == 0) return "";
    std::string text(bytes, '\0');
    if (get(program_, text.data()) != nvrtc::kSuccess) return "";
    return text;
  }

 private:
  nvrtc::DestroyProgram* destroy_;
  nvrtc::Program program_;
};

// Of a text that C gave: without its final zero.
std::string WithoutZero(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::string FirstError(const std::string& log, const char* otherwise) {
  for (const std::string& line : SplitLines(log)) {
    if (line.find("error") != std::string::npos) return std::string(Trim(line));
  }
  return otherwise;
}

// "sm_90a" and "sm_90" are of one number.
std::string WithoutLetter(std::string architecture) {
  while (!architecture.empty() &&
         std::isdigit(static_cast<unsigned char>(architecture.back())) == 0) {
    architecture.pop_back();
  }
  return architecture;
}

}  // namespace

Nvrtc::Nvrtc(const std::vector<std::string>& places) : functions_(std::make_unique<Functions>()) {
  for (const std::string& place : places) {
    library_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) continue;
    path_ = place;
    break;
  }
  if (library_ == nullptr) {
    throw MachineError("no NVRTC: looked for " + Join(places, ", ") + "; " + kInstall);
  }
  Find(library_, path_, "nvrtcVersion", &functions_->version);
  int major = 0, minor = 0;
  functions_->version(&major, &minor);
  if (major != 12 && major != 13) {
    throw MachineError(path_ + " is NVRTC " + std::to_string(major) + "." + std::to_string(minor) +
                       ", expected 12 or 13: " + kInstall);
  }
  path_ = FileOf(reinterpret_cast<void*>(functions_->version), path_);
  Find(library_, path_, "nvrtcGetNumSupportedArchs", &functions_->architecture_count);
  Find(library_, path_, "nvrtcGetSupportedArchs", &functions_->architectures);
  Find(library_, path_, "nvrtcCreateProgram", &functions_->create);
  Find(library_, path_, "nvrtcDestroyProgram", &functions_->destroy);
  Find(library_, path_, "nvrtcCompileProgram", &functions_->compile);
  Find(library_, path_, "nvrtcGetProgramLogSize", &functions_->log_size);
  Find(library_, path_, "nvrtcGetProgramLog", &functions_->log);
  Find(library_, path_, "nvrtcGetPTXSize", &functions_->ptx_size);
  Find(library_, path_, "nvrtcGetPTX", &functions_->ptx);
  Find(library_, path_, "nvrtcGetCUBINSize", &functions_->cubin_size);
  Find(library_, path_, "nvrtcGetCUBIN", &functions_->cubin);
  Find(library_, path_, "nvrtcGetErrorString", &functions_->error);
}

// The library is not unloaded: it has threads and memory of its own.
Nvrtc::~Nvrtc() = default;

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  functions_->version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

std::vector<std::string> Nvrtc::architectures() const {
  int count = 0;
  functions_->architecture_count(&count);
  std::vector<int> numbers(static_cast<size_t>(std::max(count, 0)));
  if (!numbers.empty()) functions_->architectures(numbers.data());
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back("sm_" + std::to_string(number));
  return names;
}

Result<CudaCode> Nvrtc::Compile(const std::string& source, const std::string& architecture) const {
  const std::vector<std::string> known = architectures();
  if (std::ranges::find(known, WithoutLetter(architecture)) == known.end()) {
    return Error{ErrorKind::kUnsupported, "NVRTC " + version() + " has no architecture '" +
                                              architecture + "', expected one of " +
                                              Join(known, ", ")};
  }
  nvrtc::Program created = nullptr;
  int result = functions_->create(&created, source.c_str(), "kernels.cu", 0, nullptr, nullptr);
  if (result != nvrtc::kSuccess) return Error{ErrorKind::kCompile, functions_->error(result)};
  const OpenProgram program(functions_->destroy, created);
  const std::string option = "--gpu-architecture=" + architecture;
  const char* options[] = {option.c_str(), "--std=c++17", "--ptxas-options=-v"};
  result = functions_->compile(created, 3, options);
  const std::string log = WithoutZero(program.Get(functions_->log_size, functions_->log));
  if (result != nvrtc::kSuccess) {
    return Error{ErrorKind::kCompile,
                 "NVRTC refuses the text: " + FirstError(log, functions_->error(result))};
  }
  return CudaCode{WithoutZero(program.Get(functions_->ptx_size, functions_->ptx)),
                  program.Get(functions_->cubin_size, functions_->cubin), ParseResources(log)};
}

}  // namespace schedulegym
