#include "env/program/targets/gpu_choice.h"

#include <cctype>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// "90" and whether a letter follows, of "sm_90a".
struct Architecture {
  std::string number;
  bool has_letter = false;
};

Architecture Parse(const std::string& text) {
  Architecture architecture;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      architecture.number += c;
    } else if (!architecture.number.empty()) {
      architecture.has_letter = true;
    }
  }
  return architecture;
}

std::string Described(std::span<const GpuFacts> devices) {
  std::vector<std::string> texts;
  for (const GpuFacts& device : devices) {
    texts.push_back("'" + device.name + "' (" + device.arch + ")");
  }
  return Join(texts, ", ");
}

}  // namespace

bool RunsCodeOf(const std::string& device, const std::string& code) {
  const Architecture mine = Parse(device), its = Parse(code);
  if (mine.number.size() != its.number.size() || its.number.size() < 2) return false;
  if (mine.number == its.number) return true;
  const size_t major = its.number.size() - 1;
  return !its.has_letter && mine.number.compare(0, major, its.number, 0, major) == 0 &&
         its.number.back() <= mine.number.back();
}

size_t ChooseGpu(std::span<const GpuFacts> devices, const GpuFacts& wanted) {
  std::vector<size_t> named, fitting;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!RunsCodeOf(devices[i].arch, wanted.arch)) continue;
    fitting.push_back(i);
    if (devices[i].name == wanted.name) named.push_back(i);
  }
  const std::vector<size_t>& chosen = named.empty() ? fitting : named;
  if (chosen.empty()) {
    throw InputError("device: found " + Described(devices) + ", expected one that runs " +
                     wanted.arch);
  }
  if (chosen.size() > 1) {
    throw InputError("device: found several that run " + wanted.arch + ": " + Described(devices) +
                     "; expected cuda(device=PART OF A NAME), or CUDA_VISIBLE_DEVICES=NUMBER");
  }
  return chosen.front();
}

}  // namespace schedulegym
