#include "bindings/host_judge.h"

#include <unistd.h>

#include <mutex>
#include <optional>

namespace schedulegym {

struct HostJudge::Room {
  const pid_t process = getpid();
  std::mutex mutex;
  std::optional<HostMeasuring> measuring;

  // With the mutex held.
  MeasuredJudge Judge(const std::function<HostMeasuring()>& make) {
    if (!measuring) measuring = make();
    return {*measuring->measurer, *measuring->observer};
  }
};

HostJudge::HostJudge(std::function<HostMeasuring()> make)
    : make_(std::move(make)), room_(new Room) {}

HostJudge::~HostJudge() {
  Room* room = room_;
  if (room->process == getpid()) delete room;
}

// Where the child's threads come at once, the first one's room is everybody's.
HostJudge::Room& HostJudge::Here() {
  Room* room = room_;
  if (room->process == getpid()) return *room;
  auto fresh = std::make_unique<Room>();
  if (room_.compare_exchange_strong(room, fresh.get())) return *fresh.release();
  return *room;
}

std::vector<Judgement> HostJudge::Ask(std::span<const Walk* const> places) {
  Room& room = Here();
  const std::lock_guard lock(room.mutex);
  return room.Judge(make_).Ask(places);
}

int HostJudge::Width() {
  Room& room = Here();
  const std::lock_guard lock(room.mutex);
  return room.Judge(make_).Width();
}

void HostJudge::Expect(std::span<const Walk* const> places) {
  Room& room = Here();
  const std::lock_guard lock(room.mutex);
  room.Judge(make_).Expect(places);
}

}  // namespace schedulegym
