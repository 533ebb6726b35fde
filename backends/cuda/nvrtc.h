// Nvrtc: NVIDIA's run-time compiler of CUDA C++, loaded from this machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/measure/kernel_resources.h"

namespace schedulegym {

struct CudaCode {
  std::string ptx;
  std::string cubin;
  std::vector<KernelResources> resources;
};

class Nvrtc {
 public:
  // Opens the first of `places` that can be opened. Throws MachineError, listing the places, if
  // none can, and for a release that is neither 12 nor 13.
  explicit Nvrtc(const std::vector<std::string>& places);
  ~Nvrtc();
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;

  const std::string& path() const { return path_; }  // of the library's file
  std::string version() const;                       // "13.0"
  std::vector<std::string> architectures() const;    // "sm_80", ...

  // Compiles for an architecture such as "sm_90a". Returns kUnsupported if this release lacks it,
  // kCompile with the compiler's first error.
  Result<CudaCode> Compile(const std::string& source, const std::string& architecture) const;

 private:
  struct Functions;

  std::string path_;
  void* library_ = nullptr;
  std::unique_ptr<Functions> functions_;
};

}  // namespace schedulegym
