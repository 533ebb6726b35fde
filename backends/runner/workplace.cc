#include "backends/runner/workplace.h"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/ipc/encoding.h"
#include "env/measure/record.h"
#include "env/measure/timing/clocks.h"

namespace schedulegym {
namespace {

// How often workers are attended to while nothing comes.
constexpr double kTickSeconds = 0.05;

std::string SessionId() {
  Hasher hasher;
  hasher.Add(static_cast<uint64_t>(getpid()));
  hasher.Add(HostName());
  hasher.Add(std::to_string(CalendarClock().Now()));
  return hasher.KeyValue().ToText();
}

}  // namespace

Workplace::Workplace(const WorkplaceOptions& options, std::string protocol, const Clock& clock)
    : options_(options),
      pool_(loop_,
            {.program = options.program,
             .workers = options.compile_workers,
             .most_seconds = options.compile_seconds},
            clock),
      jobs_(pool_),
      reference_checks_(loop_, options.program) {
  for (int i = 0; i < std::max(options.checkers, 1); ++i) {
    stations_.push_back(
        std::make_unique<Station>(loop_, options.program, clock, options.checker_seconds));
  }
  MeasuringSession session;
  session.id = SessionId();
  session.protocol = std::move(protocol);
  session_ = std::make_shared<const MeasuringSession>(std::move(session));
}

void Workplace::Wait() {
  loop_.Wait(std::min(pool_.NextDeadline(), kTickSeconds));
  pool_.Attend();
  for (const auto& station : stations_) {
    const bool has_answered =
        station->Attend([&](const TimingNotice& notice) { OnTiming(*station, notice); });
    if (!has_answered) continue;
    // One that died may not have said that it is done.
    if (station.get() == timing_) OnTiming(*station, {});
    if (station->preparing()) TakePrepared(*station);
  }
  TakeVerdicts();
}

// One at a time, for they take turns.
void Workplace::OnTiming(const Station& station, const TimingNotice& notice) {
  timing_ = notice.begins ? &station : nullptr;
  reference_checks_.SetPaused(notice.begins);
  pool_.SetPaused(notice.begins && notice.all_cores);
}

void Workplace::CheckReference(const std::string& key) { reference_checks_.Ask(requests_.at(key)); }

void Workplace::TakeVerdicts() {
  reference_checks_.Attend();
  for (ReferenceVerdict& verdict : reference_checks_.Take()) {
    if (!verdict.fault.empty()) {
      throw std::logic_error("the reference of " + requests_.at(verdict.key).task.name +
                             " is wrong: " + verdict.fault);
    }
    references_.push_back(std::move(verdict));
  }
}

std::optional<Compiled> Workplace::Compile(const CompileRequest& request, const EndFunction& end) {
  const Key job = jobs_.Submit(request);
  while (!end || !end()) {
    if (std::optional<Compiled> compiled = jobs_.Take(job)) return compiled;
    Wait();
  }
  return std::nullopt;
}

void Workplace::Know(PrepareRequest request) {
  std::string key = request.key;
  requests_.insert_or_assign(std::move(key), std::move(request));
}

const PrepareReply* Workplace::Find(const std::string& key) const {
  const auto found = replies_.find(key);
  return found == replies_.end() ? nullptr : &found->second;
}

Station* Workplace::FreeStation(const std::string& key) {
  for (const auto& station : stations_) {
    if (!station->is_idle()) continue;
    if (station->Has(key)) return station.get();
    AskToPrepare(*station, key);
  }
  return nullptr;
}

bool Workplace::Prepare(const std::string& key, const EndFunction& end) {
  // All at once: right answers take longest, and nobody is timed meanwhile whom that disturbs.
  while (!stations_.front()->Has(key)) {
    for (const auto& station : stations_) {
      if (station->is_idle() && !station->Has(key)) AskToPrepare(*station, key);
    }
    Wait();
    if (!end || !end()) continue;
    for (const auto& station : stations_) {
      if (station->preparing() == key) GiveUp(*station);
    }
    return stations_.front()->Has(key);
  }
  return true;
}

void Workplace::GiveUp(Station& station) {
  station.GiveUp();
  if (&station == timing_) OnTiming(station, {});
}

std::optional<CheckerAnswer> Workplace::AskFirst(const std::string& key, MessageType type,
                                                 const std::string& payload,
                                                 const EndFunction& end) {
  Station& first = *stations_.front();
  const auto is_over = [&] { return end && end(); };
  while (!first.is_idle() && !is_over()) Wait();
  if (!first.is_idle() || !first.Has(key)) return std::nullopt;
  first.Ask(type, payload);
  while (!first.has_answer() && !is_over()) Wait();
  if (first.has_answer()) return first.Take();
  GiveUp(first);
  return std::nullopt;
}

void Workplace::AskToPrepare(Station& station, const std::string& key) {
  const auto known = requests_.find(key);
  SG_CHECK(known != requests_.end(), "something that stations can be told of");
  PrepareRequest request = known->second;
  request.probe = session_->grade.empty() && &station == stations_.front().get();
  station.AskToPrepare(request);
}

// A checker that was killed is replaced; one that dies of preparing dies again, and that is told.
void Workplace::TakePrepared(Station& station) {
  const std::string key = *station.preparing();
  const CheckerAnswer answer = station.Take();
  int& deaths = deaths_[key];
  if (answer.is_gone && ++deaths < options_.most_deaths) return;
  deaths = 0;
  if (answer.refusal == "input") throw InputError(answer.message);
  if (answer.refusal == "bug") throw std::logic_error(answer.message);
  if (answer.is_gone || !answer.refusal.empty()) throw MachineError(answer.message);
  Result<PrepareReply> reply = Decode<PrepareReply>(answer.payload);
  if (!reply) throw MachineError(reply.error().message);
  NoteSurroundings(*reply);
  replies_.try_emplace(key, *std::move(reply));
}

void Workplace::NoteSurroundings(const PrepareReply& reply) {
  if (session_->toolchain == reply.toolchain && reply.grade.empty()) return;
  auto session = std::make_shared<MeasuringSession>(*session_);
  session->toolchain = reply.toolchain;
  if (!reply.grade.empty()) session->grade = reply.grade;
  if (!reply.probe.empty()) session->probe = reply.probe;
  session_ = std::move(session);
}

}  // namespace schedulegym
