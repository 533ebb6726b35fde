// Model messages: messages between a command and the process in which networks learn and predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backends/runner/wire/messages.h"

namespace schedulegym {

// Requests, each of which is answered by a ModelReply or a RefusedReply, beside those of the other
// headers of this folder. A process trains one model, or predicts with one.
enum class ModelMessage : uint16_t {
  kTraining = 112,  // ModelTrainingSetup, the first
  kSlice = 113,     // ModelTrainingSlice
  kSave = 114,      // ModelFile
  kOpen = 115,      // ModelFile, the first
  kPredict = 116,   // ModelQuestion
  kAnswer = 117,    // ModelReply
};

// A ModelTrainingRequest.
struct ModelTrainingSetup {
  static constexpr const char* kName = "model training setup";
  std::string model;               // spec
  std::vector<std::string> files;  // absolute
  std::string split, space, from;
  uint64_t seed = 0;
  int32_t threads = 1;

  static constexpr auto Fields() {
    using T = ModelTrainingSetup;
    return std::tuple(&T::model, &T::files, &T::split, &T::space, &T::from, &T::seed, &T::threads);
  }
};

struct ModelTrainingSlice {
  static constexpr const char* kName = "model training slice";
  double seconds = 0;

  static constexpr auto Fields() { return std::tuple(&ModelTrainingSlice::seconds); }
};

struct ModelFile {
  static constexpr const char* kName = "model file";
  std::string path;  // absolute

  static constexpr auto Fields() { return std::tuple(&ModelFile::path); }
};

// Schedules of a task; one without a `.dag` text has a target alone, and traces whose stages have
// numbers (TraceModel).
struct ModelQuestion {
  static constexpr const char* kName = "model question";
  TaskText task;
  std::vector<std::string> traces;

  static constexpr auto Fields() {
    return std::tuple(&ModelQuestion::task, &ModelQuestion::traces);
  }
};

struct ModelEpochText {
  int32_t epoch = 0;
  double loss = 0;
  std::optional<double> pairs;

  static constexpr auto Fields() {
    return std::tuple(&ModelEpochText::epoch, &ModelEpochText::loss, &ModelEpochText::pairs);
  }
};

// Of a slice its ModelTrainingReport, of a question the scores of its schedules.
struct ModelReply {
  static constexpr const char* kName = "model reply";
  bool is_describing = false;
  int64_t done = 0, total = 0;
  std::vector<ModelEpochText> epochs;
  bool is_over = false, diverged = false;
  std::vector<std::optional<double>> scores;

  static constexpr auto Fields() {
    using T = ModelReply;
    return std::tuple(&T::is_describing, &T::done, &T::total, &T::epochs, &T::is_over, &T::diverged,
                      &T::scores);
  }
};

}  // namespace schedulegym
