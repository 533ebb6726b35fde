// The texts of all options, a row a line: owner | key | type | default | published default | range
// | source | meaning. An owner may name the form that has the option: mcts(form=puct).
#pragma once

namespace schedulegym {

extern const char* const kAgentOptions;
extern const char* const kTunerOptions;
extern const char* const kTreeSearchOptions;
extern const char* const kHarlOptions;
extern const char* const kRefinerOptions;
extern const char* const kSchedulerOptions;
extern const char* const kSpaceOptions;
extern const char* const kMeasurerOptions;
extern const char* const kModelOptions;
extern const char* const kNetworkOptions;
extern const char* const kProtocolOptions;
extern const char* const kTargetOptions;
extern const char* const kObservationOptions;
extern const char* const kRewardOptions;
extern const char* const kEnvironmentOptions;
extern const char* const kSuiteOptions;

}  // namespace schedulegym
