// Compares our declarations of CUDA's driver API with the toolkit's header,
// where the build finds it.
#include <gtest/gtest.h>

#if __has_include(<cuda.h>)
#include <cuda.h>

#include <type_traits>

#include "backends/device/cuda_driver.h"
#endif

namespace schedulegym {
namespace {

#if __has_include(<cuda.h>)

// Our name of a type of the header. Enumerations are integers.
template <typename T>
struct DriverType {
  using Type = T;
};
template <typename T>
requires std::is_enum_v<T>
struct DriverType<T> {
  using Type = int;
};
template <typename T>
struct DriverType<T*> {
  using Type = typename DriverType<T>::Type*;
};
template <>
struct DriverType<CUcontext> {
  using Type = cuda::Context;
};
template <>
struct DriverType<CUmodule> {
  using Type = cuda::Module;
};
template <>
struct DriverType<CUfunction> {
  using Type = cuda::Function;
};
template <>
struct DriverType<CUstream> {
  using Type = cuda::Stream;
};
template <>
struct DriverType<CUevent> {
  using Type = cuda::Event;
};
template <typename Answer, typename... Arguments>
struct DriverType<Answer(Arguments...)> {
  using Type = typename DriverType<Answer>::Type(typename DriverType<Arguments>::Type...);
};

template <typename Theirs, typename Mine>
constexpr bool kIsDeclared = std::is_same_v<typename DriverType<Theirs>::Type, Mine>;

static_assert(CUDA_SUCCESS == cuda::kSuccess);
static_assert(CUDA_ERROR_OUT_OF_MEMORY == cuda::kOutOfMemory);
static_assert(CUDA_ERROR_NOT_READY == cuda::kNotReady);
static_assert(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK == cuda::kThreadsOfBlock);
static_assert(CU_DEVICE_ATTRIBUTE_WARP_SIZE == cuda::kWarp);
static_assert(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK == cuda::kRegistersOfBlock);
static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == cuda::kMultiprocessors);
static_assert(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE == cuda::kMemoryClock);
static_assert(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH == cuda::kMemoryBusWidth);
static_assert(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE == cuda::kL2Bytes);
static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == cuda::kMajor);
static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == cuda::kMinor);
static_assert(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN == cuda::kSharedBytesOfBlock);
static_assert(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES == cuda::kDynamicSharedBytes);
static_assert(CU_STREAM_NON_BLOCKING == cuda::kNonBlocking);
// The errors after which cuda_device.cc treats a context as lost.
static_assert(CUDA_ERROR_ILLEGAL_ADDRESS == 700 && CUDA_ERROR_LAUNCH_TIMEOUT == 702 &&
              CUDA_ERROR_CONTEXT_IS_DESTROYED == 709 && CUDA_ERROR_ASSERT == 710 &&
              CUDA_ERROR_HARDWARE_STACK_ERROR == 714 && CUDA_ERROR_ILLEGAL_INSTRUCTION == 715 &&
              CUDA_ERROR_MISALIGNED_ADDRESS == 716 && CUDA_ERROR_INVALID_ADDRESS_SPACE == 717 &&
              CUDA_ERROR_INVALID_PC == 718 && CUDA_ERROR_LAUNCH_FAILED == 719);
static_assert(CUDA_ERROR_DEVICE_UNAVAILABLE == 46 && CUDA_ERROR_NO_DEVICE == 100 &&
              CUDA_ERROR_INVALID_DEVICE == 101 && CUDA_ERROR_ECC_UNCORRECTABLE == 214 &&
              CUDA_ERROR_NVLINK_UNCORRECTABLE == 220 && CUDA_ERROR_CONTAINED == 226 &&
              CUDA_ERROR_SYSTEM_NOT_READY == 802 && CUDA_ERROR_UNKNOWN == 999);

static_assert(kIsDeclared<decltype(cuInit), cuda::Init>);
static_assert(kIsDeclared<decltype(cuDriverGetVersion), cuda::DriverGetVersion>);
static_assert(kIsDeclared<decltype(cuGetErrorName), cuda::GetErrorText>);
static_assert(kIsDeclared<decltype(cuGetErrorString), cuda::GetErrorText>);
static_assert(kIsDeclared<decltype(cuDeviceGetCount), cuda::DeviceGetCount>);
static_assert(kIsDeclared<decltype(cuDeviceGet), cuda::DeviceGet>);
static_assert(kIsDeclared<decltype(cuDeviceGetName), cuda::DeviceGetName>);
static_assert(kIsDeclared<decltype(cuDeviceGetPCIBusId), cuda::DeviceGetPciBusId>);
static_assert(kIsDeclared<decltype(cuDeviceTotalMem), cuda::DeviceTotalMem>);
static_assert(kIsDeclared<decltype(cuDeviceGetAttribute), cuda::DeviceGetAttribute>);
static_assert(kIsDeclared<decltype(cuDevicePrimaryCtxRetain), cuda::DevicePrimaryCtxRetain>);
static_assert(kIsDeclared<decltype(cuCtxSetCurrent), cuda::CtxSetCurrent>);
static_assert(kIsDeclared<decltype(cuCtxSynchronize), cuda::CtxSynchronize>);
static_assert(kIsDeclared<decltype(cuMemAlloc), cuda::MemAlloc>);
static_assert(kIsDeclared<decltype(cuMemFree), cuda::MemFree>);
static_assert(kIsDeclared<decltype(cuMemcpyHtoD), cuda::MemcpyHtoD>);
static_assert(kIsDeclared<decltype(cuMemcpyDtoH), cuda::MemcpyDtoH>);
static_assert(kIsDeclared<decltype(cuMemsetD8), cuda::MemsetD8>);
static_assert(kIsDeclared<decltype(cuMemsetD8Async), cuda::MemsetD8Async>);
static_assert(kIsDeclared<decltype(cuModuleLoadData), cuda::ModuleLoadData>);
static_assert(kIsDeclared<decltype(cuModuleUnload), cuda::ModuleUnload>);
static_assert(kIsDeclared<decltype(cuModuleGetFunction), cuda::ModuleGetFunction>);
static_assert(kIsDeclared<decltype(cuFuncSetAttribute), cuda::FuncSetAttribute>);
static_assert(kIsDeclared<decltype(cuLaunchKernel), cuda::LaunchKernel>);
static_assert(kIsDeclared<decltype(cuStreamCreate), cuda::StreamCreate>);
static_assert(kIsDeclared<decltype(cuEventCreate), cuda::EventCreate>);
static_assert(kIsDeclared<decltype(cuEventRecord), cuda::EventRecord>);
static_assert(kIsDeclared<decltype(cuEventQuery), cuda::EventQuery>);
static_assert(kIsDeclared<decltype(cuEventElapsedTime), cuda::EventElapsedTime>);

#else
TEST(CudaDriverDeclarationsTest, AreThoseOfTheHeader) {
  GTEST_SKIP() << "this build has no cuda.h of NVIDIA's toolkit: ./sg setup cuda";
}
#endif

}  // namespace
}  // namespace schedulegym
