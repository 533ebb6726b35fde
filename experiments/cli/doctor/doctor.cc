// The command `doctor`: capabilities of this machine, missing parts, and advice.
#include <CLI/CLI.hpp>

#include "backends/runner/worker/measuring_lock.h"
#include "env/measure/host/session_probe.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/timing/event_counters.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/doctor/diagnostic.h"
#include "experiments/cli/doctor/machine_diagnostics.h"

namespace schedulegym {
namespace {

constexpr double kProbeSeconds = 2;

std::optional<std::string> WhyNoCounters() {
  const Result<EventCounters> counters = EventCounters::Open();
  return counters ? std::nullopt : std::optional<std::string>(counters.error().message);
}

class DoctorCommand : public Command {
 public:
  std::string name() const override { return "doctor"; }
  std::string help() const override {
    return "what this machine offers, what is missing, how to make it better";
  }
  void Declare(CLI::App&) override {}

  int Run(Session& session) override {
    const Target target = session.MakeTarget();
    session.report().Note("timing equal kernels for " + FormatSeconds(kProbeSeconds));
    const ProcessCpuClock cpu_clock;
    Rng rng(session.seed());
    const SessionProbe probe = ProbeHost({session.clock(), cpu_clock}, kProbeSeconds, rng);
    Tell(session, MachineDiagnostics(target, probe.machine));
    Tell(session, NoiseDiagnostics(probe, target.cores, WhyNoCounters()));
    Tell(session, PartDiagnostics());
    Tell(session, StoreDiagnostics(session.store_path()));
    const std::string lock = MeasuringLockPath();
    Tell(session, {{"measuring lock", lock, {{"path", lock}}, ""}});
    return 0;
  }

 private:
  static void Tell(Session& session, const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) ReportDiagnostic(diagnostic, session.report());
  }
};

}  // namespace

std::unique_ptr<Command> MakeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

}  // namespace schedulegym
