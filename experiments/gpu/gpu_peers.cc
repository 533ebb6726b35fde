// Vendors' kernels are timed as ours are: by events, each call with cold caches, the median of 21
// after 3 to warm up. Both libraries run on the driver's primary context, which the device uses.
// Declarations are our own, after the references of cuBLAS 13.0 and cuDNN 9 (the functions of
// cudnn_cnn.h); each library is opened once a call and stays loaded.
#include "experiments/gpu/gpu_peers.h"

#include <dlfcn.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {

namespace cublas {
using Handle = struct OpaqueBlas*;
using Create = int(Handle* handle);
using SetStream = int(Handle handle, cuda::Stream stream);
using Sgemm = int(Handle handle, int transpose_a, int transpose_b, int m, int n, int k,
                  const float* alpha, const float* a, int lead_a, const float* b, int lead_b,
                  const float* beta, float* c, int lead_c);
constexpr int kPlain = 0;  // no transposition; the math mode of a new handle is without TF32
}  // namespace cublas

namespace cudnn {
using Handle = struct OpaqueNeural*;
using Tensor = struct OpaqueTensor*;
using Filter = struct OpaqueFilter*;
using Convolution = struct OpaqueConvolution*;
// cudnnConvolutionFwdAlgoPerf_t.
struct Expected {
  int algorithm;
  int status;
  float time;
  size_t memory;
  int determinism;
  int math;
  int reserved[3];
};
using Create = int(Handle* handle);
using SetStream = int(Handle handle, cuda::Stream stream);
using CreateTensor = int(Tensor* tensor);
using CreateFilter = int(Filter* filter);
using CreateConvolution = int(Convolution* convolution);
using SetTensor = int(Tensor tensor, int format, int type, int n, int c, int h, int w);
using SetFilter = int(Filter filter, int type, int format, int k, int c, int h, int w);
using SetConvolution = int(Convolution convolution, int pad_h, int pad_w, int stride_h,
                           int stride_w, int dilation_h, int dilation_w, int mode, int type);
using SetMath = int(Convolution convolution, int math);
using Choose = int(Handle handle, Tensor in, Filter filter, Convolution convolution, Tensor out,
                   int asked, int* found, Expected* best);
using Forward = int(Handle handle, const void* alpha, Tensor in_shape, const void* in,
                    Filter filter_shape, const void* filter, Convolution convolution, int algorithm,
                    void* workspace, size_t workspace_bytes, const void* beta, Tensor out_shape,
                    void* out);
constexpr int kFloat = 0, kChannelsFirst = 0, kCrossCorrelation = 1;
constexpr int kMultiplyAdd = 3;  // CUDNN_FMA_MATH: without tensor cores
}  // namespace cudnn

namespace {

void* OpenOne(const char* variable, const std::vector<std::string>& names, const char* package) {
  std::vector<std::string> places = names;
  if (const auto given = FindVariable(variable)) places = {*given};
  for (const std::string& place : places) {
    if (void* opened = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return opened;
  }
  throw MachineError("looked for " + Join(places, ", ") + " (Python package " + package + ")");
}

template <typename Function>
Function* Find(void* library, const char* name) {
  auto* function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) throw MachineError(std::string("the library has no function ") + name);
  return function;
}

void Require(const char* what, int status) {
  if (status != 0) throw MachineError(std::string(what) + ": status " + std::to_string(status));
}

// Zeroed memory of the device, freed with its owner.
class PeerMemory {
 public:
  PeerMemory(CudaDevice& device, int64_t bytes) : device_(device) {
    const auto size = static_cast<size_t>(bytes > 0 ? bytes : 1);
    Require("memory of the peer", device.driver().allocate(&address_, size));
    device.driver().fill(address_, 0, size);
  }
  ~PeerMemory() { device_.driver().free(address_); }
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device.
  float* at() const { return reinterpret_cast<float*>(address_); }

 private:
  CudaDevice& device_;
  cuda::Address address_ = 0;
};

Result<double> MedianOfCalls(CudaDevice& device, const std::function<int()>& call) {
  constexpr int kWarmUps = 3, kSamples = 21;
  const auto checked = [&]() -> Result<void> {
    const int status = call();
    if (status == 0) return {};
    return Error{ErrorKind::kRun, "the peer's call: status " + std::to_string(status)};
  };
  std::vector<double> seconds;
  device.SetTiming(true);
  for (int i = 0; i < kWarmUps + kSamples; ++i) {
    const double before = device.clock().Now();
    if (auto done = device.Run(checked); !done) return done.error();
    if (i >= kWarmUps) seconds.push_back(device.clock().Now() - before);
  }
  device.SetTiming(false);
  return Median(std::move(seconds));
}

}  // namespace

Result<double> TimeCublas(CudaDevice& device, int64_t m, int64_t n, int64_t k) {
  void* library =
      OpenOne("SCHEDULEGYM_CUBLAS", {"libcublas.so.13", "libcublas.so.12"}, "nvidia-cublas");
  auto* sgemm = Find<cublas::Sgemm>(library, "cublasSgemm_v2");
  cublas::Handle handle = nullptr;
  Require("cublasCreate", Find<cublas::Create>(library, "cublasCreate_v2")(&handle));
  Require("cublasSetStream",
          Find<cublas::SetStream>(library, "cublasSetStream_v2")(handle, device.stream()));
  const PeerMemory a(device, 4 * m * k), b(device, 4 * k * n), c(device, 4 * m * n);
  const float one = 1, zero = 0;
  const auto rows = static_cast<int>(m), columns = static_cast<int>(n), depth = static_cast<int>(k);
  // Column by column it is C' = B' A'.
  return MedianOfCalls(device, [&] {
    return sgemm(handle, cublas::kPlain, cublas::kPlain, columns, rows, depth, &one, b.at(),
                 columns, a.at(), depth, &zero, c.at(), columns);
  });
}

Result<double> TimeCudnn(CudaDevice& device, const PeerConvolution& convolution) {
  void* library = OpenOne("SCHEDULEGYM_CUDNN", {"libcudnn.so.9"}, "nvidia-cudnn-cu13");
  cudnn::Handle handle = nullptr;
  Require("cudnnCreate", Find<cudnn::Create>(library, "cudnnCreate")(&handle));
  Require("cudnnSetStream",
          Find<cudnn::SetStream>(library, "cudnnSetStream")(handle, device.stream()));
  cudnn::Tensor in = nullptr, out = nullptr;
  cudnn::Filter filter = nullptr;
  cudnn::Convolution shape = nullptr;
  auto* create_tensor = Find<cudnn::CreateTensor>(library, "cudnnCreateTensorDescriptor");
  Require("a tensor", create_tensor(&in));
  Require("a tensor", create_tensor(&out));
  Require("a filter", Find<cudnn::CreateFilter>(library, "cudnnCreateFilterDescriptor")(&filter));
  Require("a convolution",
          Find<cudnn::CreateConvolution>(library, "cudnnCreateConvolutionDescriptor")(&shape));

  const PeerConvolution& of = convolution;
  const int64_t rows = (of.height + 2 * of.padding - of.kernel) / of.stride + 1;
  const int64_t columns = (of.width + 2 * of.padding - of.kernel) / of.stride + 1;
  const auto number = [](int64_t value) { return static_cast<int>(value); };
  const int kernel = number(of.kernel), stride = number(of.stride), pad = number(of.padding);
  auto* set_tensor = Find<cudnn::SetTensor>(library, "cudnnSetTensor4dDescriptor");
  Require("a tensor", set_tensor(in, cudnn::kChannelsFirst, cudnn::kFloat, number(of.images),
                                 number(of.channels_in), number(of.height), number(of.width)));
  Require("a tensor", set_tensor(out, cudnn::kChannelsFirst, cudnn::kFloat, number(of.images),
                                 number(of.channels_out), number(rows), number(columns)));
  Require("a filter", Find<cudnn::SetFilter>(library, "cudnnSetFilter4dDescriptor")(
                          filter, cudnn::kFloat, cudnn::kChannelsFirst, number(of.channels_out),
                          number(of.channels_in), kernel, kernel));
  Require("a convolution",
          Find<cudnn::SetConvolution>(library, "cudnnSetConvolution2dDescriptor")(
              shape, pad, pad, stride, stride, 1, 1, cudnn::kCrossCorrelation, cudnn::kFloat));
  Require("the math of a convolution",
          Find<cudnn::SetMath>(library, "cudnnSetConvolutionMathType")(shape, cudnn::kMultiplyAdd));
  cudnn::Expected best = {};
  int found = 0;
  Require("an algorithm", Find<cudnn::Choose>(library, "cudnnGetConvolutionForwardAlgorithm_v7")(
                              handle, in, filter, shape, out, 1, &found, &best));
  Require("an algorithm", found == 1 ? best.status : 1);
  auto* forward = Find<cudnn::Forward>(library, "cudnnConvolutionForward");
  const PeerMemory x(device, 4 * of.images * of.channels_in * of.height * of.width),
      w(device, 4 * of.channels_out * of.channels_in * of.kernel * of.kernel),
      y(device, 4 * of.images * of.channels_out * rows * columns),
      workspace(device, static_cast<int64_t>(best.memory));
  const float one = 1, zero = 0;
  return MedianOfCalls(device, [&] {
    return forward(handle, &one, in, x.at(), filter, w.at(), shape, best.algorithm, workspace.at(),
                   best.memory, &zero, out, y.at());
  });
}

}  // namespace schedulegym
