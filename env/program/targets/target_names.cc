#include "env/program/targets/target_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// A test compares both lists with LLVM's own.
constexpr const char* kCpus =
    "alderlake amdfam10 arrowlake arrowlake-s arrowlake_s athlon-fx athlon64 athlon64-sse3 "
    "atom atom_sse4_2 atom_sse4_2_movbe barcelona bdver1 bdver2 bdver3 bdver4 bonnell "
    "broadwell btver1 btver2 cannonlake cascadelake clearwaterforest cooperlake core-avx-i "
    "core-avx2 core2 core_2_duo_sse4_1 core_2_duo_ssse3 core_2nd_gen_avx core_3rd_gen_avx "
    "core_4th_gen_avx core_4th_gen_avx_tsx core_5th_gen_avx core_5th_gen_avx_tsx "
    "core_aes_pclmulqdq core_i7_sse4_2 corei7 corei7-avx emeraldrapids generic goldmont "
    "goldmont-plus goldmont_plus gracemont grandridge graniterapids graniterapids-d "
    "graniterapids_d haswell icelake-client icelake-server icelake_client icelake_server "
    "ivybridge k8 k8-sse3 knl knm lunarlake meteorlake mic_avx512 nehalem nocona opteron "
    "opteron-sse3 pantherlake penryn raptorlake rocketlake sandybridge sapphirerapids "
    "sierraforest silvermont skx skylake skylake-avx512 skylake_avx512 slm tigerlake tremont "
    "westmere x86-64 x86-64-v2 x86-64-v3 x86-64-v4 znver1 znver2 znver3 znver4 znver5";
constexpr const char* kFeatures =
    "64bit 64bit-mode adx aes allow-light-256-bit amx-bf16 amx-complex amx-fp16 amx-int8 "
    "amx-tile avx avx10.1-256 avx10.1-512 avx2 avx512bf16 avx512bitalg avx512bw avx512cd "
    "avx512dq avx512f avx512fp16 avx512ifma avx512vbmi avx512vbmi2 avx512vl avx512vnni "
    "avx512vp2intersect avx512vpopcntdq avxifma avxneconvert avxvnni avxvnniint16 avxvnniint8 "
    "bmi bmi2 branch-hint branchfusion ccmp cf cldemote clflushopt clwb clzero cmov cmpccxadd "
    "crc32 cx16 cx8 egpr enqcmd ermsb evex512 f16c false-deps-getmant false-deps-lzcnt-tzcnt "
    "false-deps-mulc false-deps-mullq false-deps-perm false-deps-popcnt false-deps-range "
    "fast-11bytenop fast-15bytenop fast-7bytenop fast-bextr fast-dpwssd fast-gather fast-hops "
    "fast-imm16 fast-lzcnt fast-movbe fast-scalar-fsqrt fast-scalar-shift-masks "
    "fast-shld-rotate fast-variable-crosslane-shuffle fast-variable-perlane-shuffle "
    "fast-vector-fsqrt fast-vector-shift-masks faster-shift-than-shuffle fma fma4 fsgsbase "
    "fsrm fxsr gfni harden-sls-ijmp harden-sls-ret hreset idivl-to-divb idivq-to-divl "
    "inline-asm-use-gpr32 invpcid kl lea-sp lea-uses-ag lvi-cfi lvi-load-hardening lwp lzcnt "
    "macrofusion mmx movbe movdir64b movdiri mwaitx ndd nf no-bypass-delay "
    "no-bypass-delay-blend no-bypass-delay-mov no-bypass-delay-shuffle nopl "
    "pad-short-functions pclmul pconfig pku popcnt ppx prefer-128-bit prefer-256-bit "
    "prefer-mask-registers prefer-movmsk-over-vtest prefer-no-gather prefer-no-scatter "
    "prefetchi prfchw ptwrite push2pop2 raoint rdpid rdpru rdrnd rdseed retpoline "
    "retpoline-external-thunk retpoline-indirect-branches retpoline-indirect-calls rtm sahf "
    "sbb-dep-breaking serialize seses sgx sha sha512 shstk slow-3ops-lea slow-incdec slow-lea "
    "slow-pmaddwd slow-pmulld slow-shld slow-two-mem-ops slow-unaligned-mem-16 "
    "slow-unaligned-mem-32 sm3 sm4 soft-float sse sse-unaligned-mem sse2 sse3 sse4.1 sse4.2 "
    "sse4a ssse3 tagged-globals tbm tsxldtrk tuning-fast-imm-vector-shift uintr "
    "use-glm-div-sqrt-costs use-slm-arith-costs usermsr vaes vpclmulqdq vzeroupper waitpkg "
    "wbnoinvd widekl x87 xop xsave xsavec xsaveopt xsaves zu";

// Of targets on other processors.
constexpr const char* kOtherFeatures[] = {"neon"};

constexpr size_t kMostNearest = 5;
constexpr size_t kLongestName = 100;

std::vector<std::string> WordsOf(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// How many letters the longest common beginning and end leave over; case does not count.
size_t Difference(const std::string& name, const std::string& other) {
  const size_t most = std::min(name.size(), other.size());
  size_t begin = 0, end = 0;
  while (begin < most && name[begin] == other[begin]) ++begin;
  while (begin + end < most && name[name.size() - 1 - end] == other[other.size() - 1 - end]) ++end;
  return std::max(name.size(), other.size()) - begin - end;
}

std::vector<std::string> Nearest(const std::string& name, std::vector<std::string> known) {
  const std::string lower = Lower(name.substr(0, kLongestName));
  std::ranges::stable_sort(known, {}, [&](const std::string& other) {
    return std::pair(!other.starts_with(lower), Difference(lower, other));
  });
  known.resize(std::min(known.size(), kMostNearest));
  return known;
}

void Check(const Target& target, const std::string& key, const std::string& name,
           const std::vector<std::string>& known) {
  if (std::ranges::binary_search(known, name)) return;
  throw InputError(std::string("target '") + target.BackendName() + "': key '" + key +
                   "': found '" + name + "', expected a name that LLVM knows; the nearest are " +
                   Join(Nearest(name, known), ", "));
}

}  // namespace

const TargetNames& KnownTargetNames() {
  static const TargetNames names = {WordsOf(kCpus), WordsOf(kFeatures)};
  return names;
}

void CheckTargetNames(const Target& target) {
  if (target.IsGpu()) return;
  Check(target, "cpu", target.cpu, KnownTargetNames().cpus);
  for (const std::string& feature : target.features) {
    if (std::ranges::count(kOtherFeatures, feature)) continue;
    Check(target, "features", feature, KnownTargetNames().features);
  }
}

}  // namespace schedulegym
