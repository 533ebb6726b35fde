// Peer: a vendor library's kernel for one workload, ready to be timed beside ours.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/bench/peers/peer_names.h"
#include "experiments/bench/peers/problem.h"

namespace schedulegym {

class Peer {
 public:
  virtual ~Peer() = default;

  // "openblas" or "onednn".
  virtual std::string name() const = 0;
  // The library's implementation and layouts, for people.
  virtual std::string detail() const = 0;
  // Whether operands and result of Run lie as the workload writes them: rows of matrices one after
  // the other, channels last. Weights alone may be rewritten ahead, untimed, as ours may.
  virtual bool is_plain() const = 0;
  // Takes the plain operands, in signature order, into the library's layouts; untimed. Operands
  // whose layout is plain are read in place, so all of them must outlive the calls of Run.
  virtual void Load(std::span<const void* const> inputs) = 0;
  // One call, on the cores it was made for; what is timed.
  virtual void Run() = 0;
  // Writes the result of the last Run, plain; untimed.
  virtual void Store(void* output) = 0;
};

// Every way in which the named libraries can compute the problem on so many cores; several of one
// name are alternatives of which the fastest counts. Empty where there is none. Implementations
// that call themselves a reference are left out. Throws InputError for an unknown name,
// MachineError for a library that was missing when this was built.
std::vector<std::unique_ptr<Peer>> MakePeers(const PeerProblem& problem, int cores,
                                             const std::vector<std::string>& names);

// The factories behind MakePeers, one for each library.
std::vector<std::unique_ptr<Peer>> MakeOpenblasPeers(const PeerProblem& problem, int cores);
std::vector<std::unique_ptr<Peer>> MakeOnednnPeers(const PeerProblem& problem, int cores);

}  // namespace schedulegym
