// CudaDriver: the functions of CUDA's driver API that are called here, from a library opened at run
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace schedulegym {

// Declarations of our own, after the CUDA Driver API reference, release 13.0: neither headers nor
// the library are needed to build. Results and attributes are enumerations of C.
namespace cuda {
using Device = int;
using Address = unsigned long long;
using Context = struct OpaqueContext*;
using Module = struct OpaqueModule*;
using Function = struct OpaqueFunction*;
using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;

using Init = int(unsigned flags);
using DriverGetVersion = int(int* version);
using GetErrorText = int(int result, const char** text);
using DeviceGetCount = int(int* count);
using DeviceGet = int(Device* device, int ordinal);
using DeviceGetName = int(char* name, int bytes, Device device);
using DeviceGetPciBusId = int(char* id, int bytes, Device device);
using DeviceTotalMem = int(size_t* bytes, Device device);
using DeviceGetAttribute = int(int* value, int attribute, Device device);
using DevicePrimaryCtxRetain = int(Context* context, Device device);
using CtxSetCurrent = int(Context context);
using CtxSynchronize = int();
using MemAlloc = int(Address* address, size_t bytes);
using MemFree = int(Address address);
using MemcpyHtoD = int(Address to, const void* from, size_t bytes);
using MemcpyDtoH = int(void* to, Address from, size_t bytes);
using MemsetD8 = int(Address to, unsigned char value, size_t bytes);
using MemsetD8Async = int(Address to, unsigned char value, size_t bytes, Stream stream);
using ModuleLoadData = int(Module* module, const void* image);
using ModuleUnload = int(Module module);
using ModuleGetFunction = int(Function* function, Module module, const char* name);
using FuncSetAttribute = int(Function function, int attribute, int value);
using LaunchKernel = int(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z,
                         unsigned shared_bytes, Stream stream, void** arguments, void** extra);
using StreamCreate = int(Stream* stream, unsigned flags);
using EventCreate = int(Event* event, unsigned flags);
using EventRecord = int(Event event, Stream stream);
using EventQuery = int(Event event);
using EventElapsedTime = int(float* milliseconds, Event begin, Event end);

constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 2;
constexpr int kNotReady = 600;
// Attributes of a device.
constexpr int kThreadsOfBlock = 1;
constexpr int kWarp = 10;
constexpr int kRegistersOfBlock = 12;
constexpr int kMultiprocessors = 16;
constexpr int kMemoryClock = 36;     // kHz
constexpr int kMemoryBusWidth = 37;  // bits
constexpr int kL2Bytes = 38;
constexpr int kMajor = 75;
constexpr int kMinor = 76;
constexpr int kSharedBytesOfBlock = 97;  // that a kernel may ask for
// Of a function.
constexpr int kDynamicSharedBytes = 8;
// Of a stream: it does not wait for the default one.
constexpr unsigned kNonBlocking = 1;
}  // namespace cuda

struct CudaDriver {
  // Opens and starts the driver: SCHEDULEGYM_CUDA_DRIVER alone where it is set, else libcuda.so.1
  // and libcuda.so as the system's loader finds them. Throws MachineError without a library, of one
  // older than CUDA 12, and where it finds no device.
  static std::shared_ptr<const CudaDriver> Open();
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

  std::string path;
  int version = 0;  // 13000 of CUDA 13.0

  cuda::GetErrorText* error_name = nullptr;
  cuda::GetErrorText* error_text = nullptr;
  cuda::DeviceGetCount* device_count = nullptr;
  cuda::DeviceGet* device_get = nullptr;
  cuda::DeviceGetName* device_name = nullptr;
  cuda::DeviceGetPciBusId* device_bus = nullptr;
  cuda::DeviceTotalMem* device_memory = nullptr;
  cuda::DeviceGetAttribute* device_attribute = nullptr;
  cuda::DevicePrimaryCtxRetain* retain_context = nullptr;
  cuda::CtxSetCurrent* set_context = nullptr;
  cuda::CtxSynchronize* synchronize = nullptr;
  cuda::MemAlloc* allocate = nullptr;
  cuda::MemFree* free = nullptr;
  cuda::MemcpyHtoD* copy_in = nullptr;
  cuda::MemcpyDtoH* copy_out = nullptr;
  cuda::MemsetD8* fill = nullptr;
  cuda::MemsetD8Async* fill_later = nullptr;
  cuda::ModuleLoadData* load = nullptr;
  cuda::ModuleUnload* unload = nullptr;
  cuda::ModuleGetFunction* find_function = nullptr;
  cuda::FuncSetAttribute* set_function = nullptr;
  cuda::LaunchKernel* launch = nullptr;
  cuda::StreamCreate* create_stream = nullptr;
  cuda::EventCreate* create_event = nullptr;
  cuda::EventRecord* record = nullptr;
  cuda::EventQuery* query = nullptr;
  cuda::EventElapsedTime* elapsed = nullptr;

  // "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered".
  std::string ErrorText(int result) const;

 private:
  CudaDriver() = default;
};

// "13.0" of 13000.
std::string CudaVersionText(int version);

}  // namespace schedulegym
