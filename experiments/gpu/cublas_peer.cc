#include "experiments/gpu/cublas_peer.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

// Declarations of our own, after the cuBLAS reference, release 13.0.
namespace cublas {
using Handle = struct OpaqueHandle*;
using Create = int(Handle* handle);
using SetStream = int(Handle handle, cuda::Stream stream);
using Sgemm = int(Handle handle, int transpose_a, int transpose_b, int m, int n, int k,
                  const float* alpha, const float* a, int lead_a, const float* b, int lead_b,
                  const float* beta, float* c, int lead_c);
constexpr int kPlain = 0;  // no transposition; the math mode of a new handle is without TF32
}  // namespace cublas

struct Library {
  cublas::Handle handle = nullptr;
  cublas::Sgemm* sgemm = nullptr;
};

std::vector<std::string> Places() {
  if (const char* given = std::getenv("SCHEDULEGYM_CUBLAS")) return {given};
  return {"libcublas.so.13", "libcublas.so.12"};
}

Library OpenLibrary(CudaDevice& device) {
  void* opened = nullptr;
  for (const std::string& place : Places()) {
    if (opened == nullptr) opened = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (opened == nullptr) {
    throw MachineError("no cuBLAS: looked for " + Join(Places(), ", ") +
                       " (Python package nvidia-cublas)");
  }
  auto* create = reinterpret_cast<cublas::Create*>(dlsym(opened, "cublasCreate_v2"));
  auto* set_stream = reinterpret_cast<cublas::SetStream*>(dlsym(opened, "cublasSetStream_v2"));
  Library library;
  library.sgemm = reinterpret_cast<cublas::Sgemm*>(dlsym(opened, "cublasSgemm_v2"));
  if (create == nullptr || set_stream == nullptr || library.sgemm == nullptr) {
    throw MachineError("cuBLAS lacks a function, expected release 12 or 13");
  }
  const int result = create(&library.handle);
  if (result != 0) throw MachineError("cuBLAS cannot start: status " + std::to_string(result));
  set_stream(library.handle, device.stream());
  return library;
}

// Plain memory of the device for as long as it lives.
class Matrix {
 public:
  Matrix(CudaDevice& device, int64_t cells) : device_(device) {
    const auto bytes = static_cast<size_t>(4 * cells);
    if (device.driver().allocate(&address_, bytes) != cuda::kSuccess) {
      throw MachineError("no memory for a matrix of the peer");
    }
    device.driver().fill(address_, 0, bytes);
  }
  ~Matrix() { device_.driver().free(address_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  float* at() const { return reinterpret_cast<float*>(address_); }

 private:
  CudaDevice& device_;
  cuda::Address address_ = 0;
};

}  // namespace

Result<double> TimeCublas(CudaDevice& device, int64_t m, int64_t n, int64_t k) {
  constexpr int kWarmUps = 3, kSamples = 21;
  const Library library = OpenLibrary(device);
  const Matrix a(device, m * k), b(device, k * n), c(device, m * n);
  const float one = 1, zero = 0;
  // Column by column it is C' = B' A'.
  const auto call = [&]() -> Result<void> {
    const int result =
        library.sgemm(library.handle, cublas::kPlain, cublas::kPlain, static_cast<int>(n),
                      static_cast<int>(m), static_cast<int>(k), &one, b.at(), static_cast<int>(n),
                      a.at(), static_cast<int>(k), &zero, c.at(), static_cast<int>(n));
    if (result == 0) return {};
    return Error{ErrorKind::kRun, "cublasSgemm: status " + std::to_string(result)};
  };
  std::vector<double> seconds;
  device.SetTiming(true);
  for (int i = 0; i < kWarmUps + kSamples; ++i) {
    const double before = device.clock().Now();
    if (auto done = device.Run(call); !done) return done.error();
    if (i >= kWarmUps) seconds.push_back(device.clock().Now() - before);
  }
  device.SetTiming(false);
  return Median(std::move(seconds));
}

}  // namespace schedulegym
