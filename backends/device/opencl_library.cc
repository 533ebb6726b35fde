#include "backends/device/opencl_library.h"

#include <dlfcn.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kLibraryNames[] = {"libOpenCL.so.1", "libOpenCL.so"};

template <typename Function>
void Find(void* library, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(dlsym(library, name));
  if (*function != nullptr) return;
  throw MachineError(std::string("the OpenCL library has no ") + name +
                     ", expected one for OpenCL 1.2");
}

struct NamedError {
  ClInt error;
  const char* name;
};
constexpr NamedError kErrors[] = {
    {-1, "CL_DEVICE_NOT_FOUND"},
    {-2, "CL_DEVICE_NOT_AVAILABLE"},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {-5, "CL_OUT_OF_RESOURCES"},
    {-6, "CL_OUT_OF_HOST_MEMORY"},
    {-11, "CL_BUILD_PROGRAM_FAILURE"},
    {-30, "CL_INVALID_VALUE"},
    {-38, "CL_INVALID_MEM_OBJECT"},
    {-46, "CL_INVALID_KERNEL_NAME"},
    {-52, "CL_INVALID_KERNEL_ARGS"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE"},
    {-61, "CL_INVALID_BUFFER_SIZE"},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

}  // namespace

std::shared_ptr<const OpenClLibrary> OpenClLibrary::Open() {
  std::shared_ptr<OpenClLibrary> library(new OpenClLibrary);
  for (const char* name : kLibraryNames) {
    library->handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library->handle_ != nullptr) break;
  }
  if (library->handle_ == nullptr) {
    throw MachineError(
        "no OpenCL library: expected libOpenCL.so.1 and a driver "
        "(Debian: ocl-icd-libopencl1, and pocl-opencl-icd for processors)");
  }
  void* handle = library->handle_;
  Find(handle, "clGetPlatformIDs", &library->GetPlatformIDs);
  Find(handle, "clGetPlatformInfo", &library->GetPlatformInfo);
  Find(handle, "clGetDeviceIDs", &library->GetDeviceIDs);
  Find(handle, "clGetDeviceInfo", &library->GetDeviceInfo);
  Find(handle, "clCreateContext", &library->CreateContext);
  Find(handle, "clReleaseContext", &library->ReleaseContext);
  Find(handle, "clCreateCommandQueue", &library->CreateCommandQueue);
  Find(handle, "clReleaseCommandQueue", &library->ReleaseCommandQueue);
  Find(handle, "clCreateBuffer", &library->CreateBuffer);
  Find(handle, "clCreateSubBuffer", &library->CreateSubBuffer);
  Find(handle, "clReleaseMemObject", &library->ReleaseMemObject);
  Find(handle, "clCreateProgramWithSource", &library->CreateProgramWithSource);
  Find(handle, "clBuildProgram", &library->BuildProgram);
  Find(handle, "clGetProgramBuildInfo", &library->GetProgramBuildInfo);
  Find(handle, "clReleaseProgram", &library->ReleaseProgram);
  Find(handle, "clCreateKernel", &library->CreateKernel);
  Find(handle, "clReleaseKernel", &library->ReleaseKernel);
  Find(handle, "clSetKernelArg", &library->SetKernelArg);
  Find(handle, "clEnqueueNDRangeKernel", &library->EnqueueNDRangeKernel);
  Find(handle, "clEnqueueReadBuffer", &library->EnqueueReadBuffer);
  Find(handle, "clEnqueueWriteBuffer", &library->EnqueueWriteBuffer);
  Find(handle, "clFinish", &library->Finish);
  return library;
}

std::string ClErrorText(ClInt error) {
  const std::string number = std::to_string(error);
  for (const NamedError& known : kErrors) {
    if (known.error == error) return std::string(known.name) + " (" + number + ")";
  }
  return "OpenCL error " + number;
}

bool IsOutOfMemory(ClInt error) {
  return error == -4 || error == -5 || error == -6 || error == -61;
}

}  // namespace schedulegym
