// OpenClLibrary: the functions of OpenCL 1.2 that are called here, from a library opened at run
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace schedulegym {

// Declarations of our own, after the OpenCL 1.2 specification (Khronos, revision 19): neither
// headers nor the library are needed to build.
using ClInt = int32_t;
using ClUint = uint32_t;
using ClUlong = uint64_t;
using ClBitfield = uint64_t;
using ClPlatform = struct ClPlatformObject*;
using ClDevice = struct ClDeviceObject*;
using ClContext = struct ClContextObject*;
using ClQueue = struct ClQueueObject*;
using ClMemory = struct ClMemoryObject*;
using ClProgram = struct ClProgramObject*;
using ClKernel = struct ClKernelObject*;
using ClEvent = struct ClEventObject*;

struct ClBufferRegion {
  size_t origin;
  size_t size;
};

struct OpenClLibrary {
  // The system's loader of drivers. Throws MachineError where there is none.
  static std::shared_ptr<const OpenClLibrary> Open();
  OpenClLibrary(const OpenClLibrary&) = delete;
  OpenClLibrary& operator=(const OpenClLibrary&) = delete;

  ClInt (*GetPlatformIDs)(ClUint, ClPlatform*, ClUint*) = nullptr;
  ClInt (*GetPlatformInfo)(ClPlatform, ClUint, size_t, void*, size_t*) = nullptr;
  ClInt (*GetDeviceIDs)(ClPlatform, ClBitfield, ClUint, ClDevice*, ClUint*) = nullptr;
  ClInt (*GetDeviceInfo)(ClDevice, ClUint, size_t, void*, size_t*) = nullptr;
  ClContext (*CreateContext)(const intptr_t*, ClUint, const ClDevice*, void*, void*,
                             ClInt*) = nullptr;
  ClInt (*ReleaseContext)(ClContext) = nullptr;
  ClQueue (*CreateCommandQueue)(ClContext, ClDevice, ClBitfield, ClInt*) = nullptr;
  ClInt (*ReleaseCommandQueue)(ClQueue) = nullptr;
  ClMemory (*CreateBuffer)(ClContext, ClBitfield, size_t, void*, ClInt*) = nullptr;
  ClMemory (*CreateSubBuffer)(ClMemory, ClBitfield, ClUint, const void*, ClInt*) = nullptr;
  ClInt (*ReleaseMemObject)(ClMemory) = nullptr;
  ClProgram (*CreateProgramWithSource)(ClContext, ClUint, const char**, const size_t*,
                                       ClInt*) = nullptr;
  ClInt (*BuildProgram)(ClProgram, ClUint, const ClDevice*, const char*, void*, void*) = nullptr;
  ClInt (*GetProgramBuildInfo)(ClProgram, ClDevice, ClUint, size_t, void*, size_t*) = nullptr;
  ClInt (*ReleaseProgram)(ClProgram) = nullptr;
  ClKernel (*CreateKernel)(ClProgram, const char*, ClInt*) = nullptr;
  ClInt (*ReleaseKernel)(ClKernel) = nullptr;
  ClInt (*SetKernelArg)(ClKernel, ClUint, size_t, const void*) = nullptr;
  ClInt (*EnqueueNDRangeKernel)(ClQueue, ClKernel, ClUint, const size_t*, const size_t*,
                                const size_t*, ClUint, const ClEvent*, ClEvent*) = nullptr;
  ClInt (*EnqueueReadBuffer)(ClQueue, ClMemory, ClUint, size_t, size_t, void*, ClUint,
                             const ClEvent*, ClEvent*) = nullptr;
  ClInt (*EnqueueWriteBuffer)(ClQueue, ClMemory, ClUint, size_t, size_t, const void*, ClUint,
                              const ClEvent*, ClEvent*) = nullptr;
  ClInt (*Finish)(ClQueue) = nullptr;

 private:
  OpenClLibrary() = default;
  // Drivers keep threads and handlers of their own: it stays loaded until the process ends.
  void* handle_ = nullptr;
};

// Numbers of the specification.
inline constexpr ClInt kClSuccess = 0;
inline constexpr ClBitfield kClDeviceTypeAll = 0xFFFFFFFF;
inline constexpr ClUint kClPlatformName = 0x0902;
inline constexpr ClUint kClDeviceMaxComputeUnits = 0x1002;
inline constexpr ClUint kClDeviceMaxWorkGroupSize = 0x1004;
inline constexpr ClUint kClDeviceGlobalMemSize = 0x101F;
inline constexpr ClUint kClDeviceLocalMemSize = 0x1023;
inline constexpr ClUint kClDeviceMemBaseAddrAlign = 0x1019;
inline constexpr ClUint kClDeviceMaxMemAllocSize = 0x1010;
inline constexpr ClUint kClDeviceGlobalMemCacheSize = 0x101E;
inline constexpr ClUint kClDeviceName = 0x102B;
inline constexpr ClUint kClDriverVersion = 0x102D;
inline constexpr ClUint kClDeviceVersion = 0x102F;
inline constexpr ClUint kClDeviceExtensions = 0x1030;
inline constexpr ClUint kClDeviceDoubleFpConfig = 0x1032;
inline constexpr ClUint kClProgramBuildLog = 0x1183;
inline constexpr ClUint kClBufferCreateTypeRegion = 0x1220;
inline constexpr ClBitfield kClMemReadWrite = 1;

// "CL_OUT_OF_RESOURCES (-5)"; of a number that has no name here the number alone.
std::string ClErrorText(ClInt error);
// The device, or the host, has no memory left for it.
bool IsOutOfMemory(ClInt error);

}  // namespace schedulegym
