// A stand-in for CUDA's driver: a library with the functions that CudaDriver looks up. Its "device"
// is this machine's CPU, and its "machine code" comes from the stand-in compiler. Marks in a
// kernel's text make it fail (cuda_stand_in_compiler.cc). The environment variable
// SCHEDULEGYM_STAND_IN, words NAME=VALUE separated by spaces, describes the machine:
//   driver=12040       release, default 13000
//   devices=2          number of devices, each "Stand-in H100 N"; with 0 cuInit returns error 100
//   fail=cuMemAlloc_v2:2   every call of that function returns that result
//   die=cuModuleLoadData   SIGTERM ends the process in that function
//   noise=0.02         scatter of times; they then also drift, and one in twenty is half longer
//   megahertz=1500     clock reported by NVML, at most 2000; reasons=8 are its reasons, and
//                      reasons_before=8 those of a reading without a timed call before it
//   lock=FILE          locked while a kernel runs: two at once break the device
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "backends/device/cuda_driver.h"

namespace {

namespace cuda = schedulegym::cuda;

constexpr int kInvalidValue = 1, kNoDevice = 100, kInvalidImage = 200, kWrongArchitecture = 209,
              kNotFound = 500, kIllegalAddress = 700, kOutOfResources = 701, kMisaligned = 716,
              kLaunchFailed = 719, kLost = 214;
constexpr size_t kMemory = size_t{1} << 32;
constexpr int kStaticShared = 48 << 10, kMostShared = 227 << 10;

using LaunchFunction = const char*(const unsigned* blocks, const unsigned* threads,
                                   void** arguments);

struct LoadedKernel {
  LaunchFunction* launch;
  const char* fault;
  const int* arguments;
  const double* seconds;  // 0: the time measured here
  int most_shared = kStaticShared;
};

// State of this process, in which the device has one context.
struct State {
  int sticky = 0;
  bool hangs = false;
  bool is_timed = false;  // whether a kernel was timed since the last NVML reading
  double now = 0;         // seconds of the device's clock
  long launches = 0, fills = 0;
  unsigned long long random = 0x9E3779B97F4A7C15;
};
State state;

struct StandInEvent {
  double at;
  bool hangs;
};

std::string Setting(const char* name) {
  const char* all = std::getenv("SCHEDULEGYM_STAND_IN");
  const std::string text = std::string(" ") + (all == nullptr ? "" : all) + " ";
  const std::string key = std::string(" ") + name + "=";
  const size_t begin = text.find(key);
  if (begin == std::string::npos) return "";
  return text.substr(begin + key.size(), text.find(' ', begin + 1) - begin - key.size());
}

int Number(const char* name, int otherwise) {
  const std::string value = Setting(name);
  return value.empty() ? otherwise : std::atoi(value.c_str());
}

// Start of every call.
int Enter(const char* function) {
  if (Setting("die") == function) raise(SIGTERM);
  if (state.sticky != 0) return state.sticky;
  const std::string fail = Setting("fail");
  const size_t colon = fail.find(':');
  return fail.substr(0, colon) == function ? std::atoi(fail.c_str() + colon + 1) : 0;
}

double Uniform() {
  state.random ^= state.random << 13;
  state.random ^= state.random >> 7;
  state.random ^= state.random << 17;
  return static_cast<double>(state.random >> 11) / 9007199254740992.0;
}

double Noisy(double seconds) {
  const std::string text = Setting("noise");
  if (text.empty()) return seconds;
  const double scatter = std::atof(text.c_str()) * std::sqrt(-2 * std::log(1 - Uniform())) *
                         std::cos(6.283185307 * Uniform());
  const double drift = 0.05 * std::sin(state.now * 40);
  const double spike = Uniform() < 0.05 ? 1.5 : 1;
  return seconds * spike * (1 + drift) * std::exp(scatter);
}

double HostSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Number of bytes of a shared object, whose section table is at its end.
size_t ElfBytes(const unsigned char* image) {
  unsigned long long offset = 0;
  unsigned short bytes = 0, count = 0;
  std::memcpy(&offset, image + 40, sizeof offset);
  std::memcpy(&bytes, image + 58, sizeof bytes);
  std::memcpy(&count, image + 60, sizeof count);
  return offset + size_t{bytes} * count;
}

// Returns false if a kernel of another process runs.
bool TakeDevice(int* lock) {
  const std::string path = Setting("lock");
  if (path.empty()) return true;
  *lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  return flock(*lock, LOCK_EX | LOCK_NB) == 0;
}

// The context's result after a kernel.
int ResultOf(const std::string& fault, const char* failure) {
  if (fault == "illegal_address") return kIllegalAddress;
  if (fault == "failed") return kLaunchFailed;
  if (fault == "lost") return kLost;
  if (failure[0] == 0) return 0;
  return std::strstr(failure, "aligned") != nullptr ? kMisaligned : kLaunchFailed;
}

int Launch(LoadedKernel* kernel, const unsigned* blocks, const unsigned* threads,
           void** arguments) {
  const std::string fault = kernel->fault;
  if (fault == "launch") return kOutOfResources;
  int lock = -1;
  if (!TakeDevice(&lock)) return state.sticky = kLost;
  if (fault == "hang") {
    state.hangs = true;  // the lock stays with the process
    return 0;
  }
  std::vector<void*> values;
  for (int i = 0; i < *kernel->arguments; ++i) values.push_back(*static_cast<void**>(arguments[i]));
  const double begin = HostSeconds();
  const char* failure = fault.empty() ? kernel->launch(blocks, threads, values.data()) : "";
  const double took = *kernel->seconds > 0 ? Noisy(*kernel->seconds) : HostSeconds() - begin;
  state.now += took;
  state.sticky = ResultOf(fault, failure);
  if (lock >= 0) close(lock);
  return 0;
}

}  // namespace

extern "C" {

long stand_in_launches() { return state.launches; }
long stand_in_fills() { return state.fills; }

int cuInit(unsigned) { return Number("devices", 1) == 0 ? kNoDevice : Enter("cuInit"); }
int cuDriverGetVersion(int* version) {
  *version = Number("driver", 13000);
  return 0;
}
int cuGetErrorName(int result, const char** text) {
  static char name[64];
  std::snprintf(name, sizeof name, "%s",
                result == kIllegalAddress   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                : result == kLost           ? "CUDA_ERROR_ECC_UNCORRECTABLE"
                : result == kOutOfResources ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
                : result == 2               ? "CUDA_ERROR_OUT_OF_MEMORY"
                                            : "CUDA_ERROR_UNKNOWN");
  *text = name;
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "of the stand-in";
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = Number("devices", 1);
  return Enter("cuDeviceGetCount");
}
int cuDeviceGet(int* device, int ordinal) {
  if (const int result = Enter("cuDeviceGet")) return result;
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int bytes, int device) {
  if (const int result = Enter("cuDeviceGetName")) return result;
  std::snprintf(name, static_cast<size_t>(bytes), "Stand-in H100 %d", device);
  return 0;
}
int cuDeviceGetPCIBusId(char* id, int bytes, int) {
  if (const int result = Enter("cuDeviceGetPCIBusId")) return result;
  std::snprintf(id, static_cast<size_t>(bytes), "0000:00:00.0");
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  if (const int result = Enter("cuDeviceTotalMem_v2")) return result;
  *bytes = kMemory;
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  if (const int result = Enter("cuDeviceGetAttribute")) return result;
  switch (attribute) {
    case cuda::kThreadsOfBlock: *value = 1024; break;
    case cuda::kWarp: *value = 32; break;
    case cuda::kRegistersOfBlock: *value = 65536; break;
    case cuda::kMultiprocessors: *value = 132; break;
    case cuda::kMemoryClock: *value = 2'000'000; break;
    case cuda::kMemoryBusWidth: *value = 5120; break;
    case cuda::kL2Bytes: *value = 1 << 20; break;
    case cuda::kMajor: *value = 9; break;
    case cuda::kMinor: *value = 0; break;
    case cuda::kSharedBytesOfBlock: *value = kMostShared; break;
    default: return kInvalidValue;
  }
  return 0;
}
int cuDevicePrimaryCtxRetain(cuda::Context* context, int) {
  *context = nullptr;
  return Enter("cuDevicePrimaryCtxRetain");
}
int cuCtxSetCurrent(cuda::Context) { return Enter("cuCtxSetCurrent"); }
int cuCtxSynchronize() { return Enter("cuCtxSynchronize"); }

int cuMemAlloc_v2(cuda::Address* address, size_t bytes) {
  if (const int result = Enter("cuMemAlloc_v2")) return result;
  void* memory = bytes > kMemory ? nullptr : aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<cuda::Address>(memory);
  return memory == nullptr ? cuda::kOutOfMemory : 0;
}
int cuMemFree_v2(cuda::Address address) {
  free(reinterpret_cast<void*>(address));
  return Enter("cuMemFree_v2");
}
int cuMemcpyHtoD_v2(cuda::Address to, const void* from, size_t bytes) {
  if (const int result = Enter("cuMemcpyHtoD_v2")) return result;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, cuda::Address from, size_t bytes) {
  if (const int result = Enter("cuMemcpyDtoH_v2")) return result;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuMemsetD8_v2(cuda::Address to, unsigned char value, size_t bytes) {
  if (const int result = Enter("cuMemsetD8_v2")) return result;
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return 0;
}
int cuMemsetD8Async(cuda::Address to, unsigned char value, size_t bytes, cuda::Stream) {
  if (const int result = Enter("cuMemsetD8Async")) return result;
  ++state.fills;
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return 0;
}

int cuModuleLoadData(cuda::Module* module, const void* image) {
  if (const int result = Enter("cuModuleLoadData")) return result;
  if (std::memcmp(image, "\177ELF", 4) != 0) return kInvalidImage;
  const int file = memfd_create("module", 0);
  const auto* bytes = static_cast<const unsigned char*>(image);
  for (size_t left = ElfBytes(bytes); left > 0;) {
    const ssize_t wrote = write(file, bytes, left);
    if (wrote <= 0) return cuda::kOutOfMemory;
    bytes += wrote;
    left -= static_cast<size_t>(wrote);
  }
  // A path that was opened before would return the earlier library.
  static size_t count = 0;
  const std::string path = "/proc/self/fd" + std::string(++count, '/') + std::to_string(file);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (library == nullptr) return kInvalidImage;
  const auto* architecture = static_cast<const char*>(dlsym(library, "stand_in_architecture"));
  *module = static_cast<cuda::Module>(library);
  const bool fits = architecture != nullptr && std::strncmp(architecture, "sm_90", 5) == 0;
  return fits ? 0 : kWrongArchitecture;
}
int cuModuleUnload(cuda::Module module) {
  dlclose(module);
  return Enter("cuModuleUnload");
}
int cuModuleGetFunction(cuda::Function* function, cuda::Module module, const char* name) {
  if (const int result = Enter("cuModuleGetFunction")) return result;
  void* launch = dlsym(module, (std::string("launch_") + name).c_str());
  if (launch == nullptr) return kNotFound;
  *function = reinterpret_cast<cuda::Function>(new LoadedKernel{
      reinterpret_cast<LaunchFunction*>(launch),
      static_cast<const char*>(dlsym(module, "stand_in_fault")),
      static_cast<const int*>(dlsym(module, (std::string("arguments_") + name).c_str())),
      static_cast<const double*>(dlsym(module, "stand_in_seconds"))});
  return 0;
}
int cuFuncSetAttribute(cuda::Function function, int attribute, int value) {
  if (const int result = Enter("cuFuncSetAttribute")) return result;
  if (attribute != cuda::kDynamicSharedBytes || value > kMostShared) return kInvalidValue;
  reinterpret_cast<LoadedKernel*>(function)->most_shared = value;
  return 0;
}
int cuLaunchKernel(cuda::Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   cuda::Stream, void** arguments, void**) {
  if (const int result = Enter("cuLaunchKernel")) return result;
  ++state.launches;
  auto* kernel = reinterpret_cast<LoadedKernel*>(function);
  const unsigned blocks[] = {grid_x, grid_y, grid_z}, threads[] = {block_x, block_y, block_z};
  if (block_x * block_y * block_z > 1024 || static_cast<int>(shared_bytes) > kernel->most_shared) {
    return kInvalidValue;
  }
  return Launch(kernel, blocks, threads, arguments);
}

int cuStreamCreate(cuda::Stream* stream, unsigned) {
  *stream = nullptr;
  return Enter("cuStreamCreate");
}
int cuEventCreate(cuda::Event* event, unsigned) {
  *event = reinterpret_cast<cuda::Event>(new StandInEvent{});
  return Enter("cuEventCreate");
}
int cuEventRecord(cuda::Event event, cuda::Stream) {
  *reinterpret_cast<StandInEvent*>(event) = {state.now, state.hangs};
  return Enter("cuEventRecord");
}
int cuEventQuery(cuda::Event event) {
  if (const int result = Enter("cuEventQuery")) return result;
  return reinterpret_cast<StandInEvent*>(event)->hangs ? cuda::kNotReady : 0;
}
int cuEventElapsedTime(float* milliseconds, cuda::Event begin, cuda::Event end) {
  if (const int result = Enter("cuEventElapsedTime")) return result;
  state.is_timed = true;
  *milliseconds = static_cast<float>(1e3 * (reinterpret_cast<StandInEvent*>(end)->at -
                                            reinterpret_cast<StandInEvent*>(begin)->at));
  return 0;
}

// NVML.
int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  *device = &state;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned* megahertz) {
  *megahertz = static_cast<unsigned>(Number("megahertz", 2000));
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* megahertz) {
  *megahertz = 2000;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  const bool is_after = std::exchange(state.is_timed, false);
  const int now = Number("reasons", 0);
  *reasons = static_cast<unsigned long long>(is_after ? now : Number("reasons_before", now));
  return 0;
}

}  // extern "C"
