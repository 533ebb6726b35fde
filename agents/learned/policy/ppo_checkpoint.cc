#include "agents/learned/policy/ppo_checkpoint.h"

#include <cmath>
#include <utility>
#include <vector>

#include "agents/learned/checkpoint_parts.h"
#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/policy/torch_internal.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Where a tensor's numbers are kept.
struct KeptTensor {
  std::string name;
  at::Tensor tensor;
};

void Add(std::vector<KeptTensor>& kept, const std::string& name,
         const std::vector<at::Tensor>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    kept.push_back({name + "." + std::to_string(i), tensors[i]});
  }
}

std::vector<KeptTensor> WeightsOf(const std::string& name, const Ppo& ppo) {
  std::vector<KeptTensor> kept;
  Add(kept, name + ".actor", ppo.actor().parameters());
  Add(kept, name + ".critic", ppo.critic().parameters());
  return kept;
}

std::vector<KeptTensor> MomentsOf(const std::string& name, const Ppo& ppo) {
  std::vector<KeptTensor> kept;
  for (const auto& [part, adam] : {std::pair(".actor", &ppo.actor()), {".critic", &ppo.critic()}}) {
    Add(kept, name + part + ".first", adam->first_moments());
    Add(kept, name + part + ".second", adam->second_moments());
  }
  return kept;
}

void Put(Checkpoint& checkpoint, const std::vector<KeptTensor>& kept) {
  for (const KeptTensor& each : kept) {
    checkpoint.Put(each.name,
                   Checkpoint::Floats{each.tensor.sizes().vec(), NumbersOf(each.tensor)});
  }
}

// All of them are looked for before the first is filled.
void Fill(const Checkpoint& checkpoint, const std::vector<KeptTensor>& kept) {
  std::vector<const std::vector<float>*> found;
  for (const KeptTensor& each : kept) {
    found.push_back(&checkpoint.FloatsOf(each.name, each.tensor.sizes().vec()).values);
  }
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < kept.size(); ++i) {
    const at::Tensor& tensor = kept[i].tensor;
    tensor.copy_(ViewOf(std::span(*found[i])).view(tensor.sizes()));
  }
}

// A first moment of Adam's is within 7.3 roots of its second, whatever the gradients were, but for
// what rounds to 0. A step by others could lead to no number at all.
void CheckMoments(const Checkpoint& checkpoint, const std::string& name, const Adam& adam) {
  constexpr double kMostRoots = 10, kRounding = 1e-12;
  for (size_t i = 0; i < adam.first_moments().size(); ++i) {
    const std::vector<int64_t> shape = adam.first_moments()[i].sizes().vec();
    const auto moments = [&](const char* which) -> const std::vector<float>& {
      return checkpoint.FloatsOf(name + which + std::to_string(i), shape).values;
    };
    const std::vector<float>& first = moments(".first.");
    const std::vector<float>& second = moments(".second.");
    for (size_t j = 0; j < first.size(); ++j) {
      const double most = kMostRoots * std::sqrt(static_cast<double>(second[j])) + kRounding;
      if (std::abs(first[j]) <= most) continue;  // never where the second is below 0
      throw InputError("the checkpoint's '" + name + ".first." + std::to_string(i) +
                       "' and its second are no moments of gradients");
    }
  }
}

void CheckShape(const Checkpoint& checkpoint, const std::string& name, const Ppo& ppo) {
  const std::string expected = DescribeShape(ppo.network().shape());
  const std::string& found = checkpoint.Text(name + ".shape");
  if (found == expected) return;
  throw InputError("the checkpoint's network '" + name + "' is of another shape: found " + found +
                   ", expected " + expected);
}

}  // namespace

std::string DescribeShape(const NetworkShape& shape) {
  const auto join = [](const std::vector<int>& sizes) {
    return Join(std::vector<int64_t>(sizes.begin(), sizes.end()), "-");
  };
  return "inputs " + std::to_string(shape.inputs) + ", hidden " + join(shape.hidden) + ", heads " +
         join(shape.heads.all_choices()) +
         (shape.activation == Activation::kRelu ? ", relu" : ", tanh") +
         (shape.shared_trunk ? ", one trunk" : ", own trunks");
}

void PutPpo(Checkpoint& checkpoint, const std::string& name, const Ppo& ppo) {
  checkpoint.Put(name + ".shape", DescribeShape(ppo.network().shape()));
  Put(checkpoint, WeightsOf(name, ppo));
  Put(checkpoint, MomentsOf(name, ppo));
  checkpoint.Put(name + ".steps", Checkpoint::Words{{2},
                                                    {static_cast<uint64_t>(ppo.actor().steps()),
                                                     static_cast<uint64_t>(ppo.critic().steps())}});
  PutRng(checkpoint, name + ".rng", ppo.rng());
}

void ResumePpo(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo) {
  CheckShape(checkpoint, name, ppo);
  const Rng rng = ReadRng(checkpoint, name + ".rng");
  const std::vector<uint64_t>& steps = checkpoint.WordsOf(name + ".steps");
  constexpr uint64_t kMost = uint64_t{1} << 62;
  if (steps.size() != 2 || steps[0] > kMost || steps[1] > kMost) {
    throw InputError("the checkpoint's '" + name + ".steps' are no two counts");
  }
  CheckMoments(checkpoint, name + ".actor", ppo.actor());
  CheckMoments(checkpoint, name + ".critic", ppo.critic());
  std::vector<KeptTensor> kept = WeightsOf(name, ppo);
  const std::vector<KeptTensor> moments = MomentsOf(name, ppo);
  kept.insert(kept.end(), moments.begin(), moments.end());
  Fill(checkpoint, kept);
  ppo.Resume(rng, static_cast<int64_t>(steps[0]), static_cast<int64_t>(steps[1]));
}

void ReadPolicy(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo) {
  CheckShape(checkpoint, name, ppo);
  Fill(checkpoint, WeightsOf(name, ppo));
}

}  // namespace schedulegym
