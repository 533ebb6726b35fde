#include "tests/support/expert_cases.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "env/base/check.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr struct {
  const char* prefix;
  const char* workload;
} kSmall[] = {
    {"matmul_", "matmul(m=61,n=53,k=37)"},
    {"c2d_2", "conv2d(h=5,w=7,ci=6,co=40,k=1)"},
    {"c2d_", "conv2d(h=5,w=7,ci=6,co=40,k=3,p=1)"},
    {"dep_", "depthwise(h=9,w=11,c=20,k=3,p=1)"},
    {"cap_", "capsule(h=6,w=6,ci=3,co=10,k=3,s=2,p=1)"},
    {"t2d_", "conv2d_transpose(h=4,w=3,ci=5,co=40,k=4,s=2,p=1)"},
    // Partial sums must divide the reduction.
    {"nrm_", "norm(n=16,m=128)"},
    {"softmax_", "softmax(n=9,m=64)"},
    {"tbs_", "tbs(l=16,heads=3,size=5)"},
};

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::map<std::string, std::string> ReadIndex(const fs::path& path) {
  std::map<std::string, std::string> workloads;
  std::ifstream file(path);
  for (std::string name, workload; file >> name && std::getline(file >> std::ws, workload);) {
    workloads[name] = workload;
  }
  return workloads;
}

std::string SmallWorkload(const std::string& name) {
  for (const auto& [prefix, workload] : kSmall) {
    if (name.starts_with(prefix)) return workload;
  }
  SG_CHECK(false, "no small workload for the expert schedule " + name);
}

}  // namespace

std::vector<ExpertCase> ExpertCases() {
  const fs::path root = fs::path(SG_SOURCE_DIR) / "experiments/expert";
  const std::map<std::string, std::string> index = ReadIndex(root / "index.txt");
  std::vector<ExpertCase> cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".trace") continue;
    const std::string name = entry.path().stem().string();
    SG_CHECK(index.contains(name), "index.txt does not name " + name);
    cases.push_back({entry.path().parent_path().filename().string(), name, index.at(name),
                     SmallWorkload(name), ReadFile(entry.path())});
  }
  std::sort(cases.begin(), cases.end(), [](const ExpertCase& a, const ExpertCase& b) {
    return std::tie(a.folder, a.name) < std::tie(b.folder, b.name);
  });
  return cases;
}

}  // namespace schedulegym
