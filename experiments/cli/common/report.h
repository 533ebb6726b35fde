// Report: writes a command's results: events with --json, else text.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "experiments/cli/common/json.h"

namespace spdlog {
class logger;  // NOLINT(readability-identifier-naming)
}

namespace schedulegym {

struct ReportOptions {
  bool json = false;
  bool quiet = false;  // no messages and no progress; errors are still written
};

// Writes results and messages. Flushes results line by line and checks each write: the first lost
// one gives a line on stderr. A closed pipe ends the program at once without a message, as SIGPIPE
// does.
class Report {
 public:
  Report(std::FILE* out, std::FILE* err, const ReportOptions& options);
  ~Report();

  bool json() const { return options_.json; }
  bool quiet() const { return options_.quiet; }
  std::FILE* err() const { return err_; }

  // Writes one object to stdout; nothing without --json.
  void Event(std::string_view event, JsonObject fields);
  // Writes text to stdout, with a newline added if it has none; nothing with --json.
  void Text(const std::string& text);
  // Writes text also with --json.
  void Help(const std::string& text);
  // Reports one item of list, show, export, records and doctor: an `item` event or `text`.
  void Item(const std::string& name, JsonObject fields, const std::string& text);
  // Write one line to stderr; nothing with --quiet.
  void Note(const std::string& message);
  void Warn(const std::string& message);
  // Writes one line to stderr, and with --json an `error` event.
  void Fail(const std::string& kind, const std::string& message);

  // Flushes stdout. Returns whether all output was written.
  bool Finish();

 private:
  void Write(const std::string& text);
  // Handles a failed write; prints an error for the first one.
  void Lose();

  std::FILE* out_;
  std::FILE* err_;
  ReportOptions options_;
  bool is_lost_ = false;
  std::unique_ptr<spdlog::logger> log_;
};

}  // namespace schedulegym
