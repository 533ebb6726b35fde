// SurfaceBook: a book of places of SurfaceSpace or another space, with the objects it needs.
#pragma once

#include <memory>

#include "agents/builtin_agents.h"
#include "agents/common/place_book.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/surface_space.h"

namespace schedulegym {

struct SurfaceBook {
  SurfaceBook() : SurfaceBook(std::make_shared<const SurfaceSpace>(SurfaceTask()), SurfaceTask()) {}
  SurfaceBook(const SearchSpace& space, std::shared_ptr<const Task> of)
      : SurfaceBook(std::shared_ptr<const SearchSpace>(std::shared_ptr<void>(), &space),
                    std::move(of)) {}
  SurfaceBook(std::shared_ptr<const SearchSpace> own, std::shared_ptr<const Task> of)
      : space(std::move(own)),
        task(std::move(of)),
        book({setup, *space, Rng(1), maker, clock}, task, 1000, "agent test") {}

  // Claims a place and reports its seconds; nullopt: failure.
  void Measure(const FieldPlace& place, std::optional<double> seconds) {
    const std::optional<Proposal> proposal = book.Claim(place);
    if (proposal) book.Learn(TimedTrial(*proposal, seconds));
  }

  std::shared_ptr<const SearchSpace> space;
  std::shared_ptr<const Task> task;
  AgentSetup setup;
  AgentMaker maker = BuiltinAgentMaker();
  SteadyClock clock;
  PlaceBook book;
};

}  // namespace schedulegym
