// Compares our declarations of NVRTC's interface with the toolkit's header,
// where the build finds it.
#include <gtest/gtest.h>

#if __has_include(<nvrtc.h>)
#include <nvrtc.h>

#include <type_traits>

#include "backends/cuda/nvrtc_functions.h"
#endif

namespace schedulegym {
namespace {

#if __has_include(<nvrtc.h>)

// Our name of a type of the header.
template <typename T>
struct Ours {
  using Type = T;
};
template <>
struct Ours<nvrtcResult> {
  using Type = int;
};
template <>
struct Ours<nvrtcProgram> {
  using Type = nvrtc::Program;
};
template <>
struct Ours<nvrtcProgram*> {
  using Type = nvrtc::Program*;
};
template <typename Answer, typename... Arguments>
struct Ours<Answer(Arguments...)> {
  using Type = typename Ours<Answer>::Type(typename Ours<Arguments>::Type...);
};

template <typename Theirs, typename Declared>
constexpr bool kSame = std::is_same_v<typename Ours<Theirs>::Type, Declared>;

static_assert(NVRTC_SUCCESS == nvrtc::kSuccess);
static_assert(kSame<decltype(nvrtcVersion), nvrtc::Version>);
static_assert(kSame<decltype(nvrtcGetNumSupportedArchs), nvrtc::GetNumSupportedArchs>);
static_assert(kSame<decltype(nvrtcGetSupportedArchs), nvrtc::GetSupportedArchs>);
static_assert(kSame<decltype(nvrtcCreateProgram), nvrtc::CreateProgram>);
static_assert(kSame<decltype(nvrtcDestroyProgram), nvrtc::DestroyProgram>);
static_assert(kSame<decltype(nvrtcCompileProgram), nvrtc::CompileProgram>);
static_assert(kSame<decltype(nvrtcGetProgramLogSize), nvrtc::GetSize>);
static_assert(kSame<decltype(nvrtcGetPTXSize), nvrtc::GetSize>);
static_assert(kSame<decltype(nvrtcGetCUBINSize), nvrtc::GetSize>);
static_assert(kSame<decltype(nvrtcGetProgramLog), nvrtc::GetText>);
static_assert(kSame<decltype(nvrtcGetPTX), nvrtc::GetText>);
static_assert(kSame<decltype(nvrtcGetCUBIN), nvrtc::GetText>);
static_assert(kSame<decltype(nvrtcGetErrorString), nvrtc::GetErrorString>);

#else
TEST(NvrtcDeclarationsTest, AreThoseOfTheHeader) {
  GTEST_SKIP() << "this build has no nvrtc.h of NVIDIA's toolkit: ./sg setup cuda";
}
#endif

}  // namespace
}  // namespace schedulegym
