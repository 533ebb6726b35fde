#include "experiments/cli/common/reproduce.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "assembly/processes/command_arguments.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/base/utf8.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"

namespace schedulegym {
namespace {

constexpr const char* kName = "schedulegym";

bool IsPlain(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
         std::string_view("_./-+:,=@%").find(c) != std::string_view::npos;
}

// Bytes that no terminal shows, for the shell's printf.
std::string PrintfWord(const std::string& text) {
  std::string format;
  for (const char c : text) {
    char code[8];
    std::snprintf(code, sizeof code, "\\%03o",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    format += IsPlain(c) && c != '%' ? std::string(1, c) : code;
  }
  return "\"$(printf '" + format + "')\"";
}

void AddOption(const std::string& name, const std::string& value, const std::string& usual,
               std::vector<std::string>& words) {
  if (value == usual) return;
  words.push_back(name);
  words.push_back(ShellWord(value));
}

}  // namespace

std::string ShellWord(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), IsPlain)) return text;
  if (Shown(text) != text) return PrintfWord(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string ShortTarget(const std::string& text) {
  const Result<Spec> spec = ParseSpec(text);
  if (!spec) return text;
  try {
    const Target target = MakeTarget(*spec);
    Spec shorter = {spec->name, {}};
    if (MakeTarget(shorter) == target) return shorter.ToText();
    shorter.options.push_back({"cores", SpecValue{static_cast<int64_t>(target.cores)}});
    if (MakeTarget(shorter) == target) return shorter.ToText();
  } catch (const InputError&) {
    return text;
  }
  return text;
}

std::string ShortProtocol(const std::string& text) {
  const Result<Spec> spec = ParseSpec(text);
  const Result<Spec> usual = ParseSpec(ProtocolText(Protocol()));
  if (!spec || spec->name != usual->name) return text;
  Spec shorter = *spec;
  std::erase_if(shorter.options, [&](const SpecOption& option) {
    return std::find(usual->options.begin(), usual->options.end(), option) != usual->options.end();
  });
  return shorter.ToText();
}

std::string ProgramWord() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return kName;
  const auto found = FindInPath(kName);
  const bool is_found = found && std::filesystem::equivalent(*found, self, error);
  return is_found ? kName : self.string();
}

std::string ReproduceCommand(const Record& record, const ReproduceWords& words) {
  // The path of a file may begin as an option does.
  const std::string& workload = record.task->workload;
  const std::string prefix = workload.starts_with('-') ? "./" : "";
  std::vector<std::string> command = {ShellWord(words.program), "replay",
                                      ShellWord(prefix + workload)};
  const Measurement& measurement = record.measurement;
  const std::string protocol = measurement.session == nullptr ? "" : measurement.session->protocol;
  AddOption("--target", ShortTarget(record.task->target), "llvm", command);
  AddOption("--protocol", protocol.empty() ? "cpu1" : ShortProtocol(protocol), "cpu1", command);
  AddOption("--seed", std::to_string(measurement.seed), "0", command);
  AddOption("--store", words.store, "schedulegym.db", command);
  AddOption("--record", record.id, "", command);
  return Join(command, " ");
}

}  // namespace schedulegym
