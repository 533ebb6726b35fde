#include "assembly/host/plugin_loader.h"

#include <dlfcn.h>

#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "agents/plugin.h"
#include "assembly/host/plugin_file.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kRemedy = "; build it again against this schedulegym";

[[noreturn]] void Refuse(const std::string& file, const std::string& why) {
  throw InputError("plugin " + file + ": " + why);
}

// Opened for good: agents' code lives in it.
void* Open(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* why = dlerror();
  Refuse(file, "cannot be opened: " + std::string(why != nullptr ? why : "unknown"));
}

[[noreturn]] void RefuseWithout(const char* symbol, const std::string& file) {
  Refuse(file, "found no '" + std::string(symbol) + "', expected the one of SG_PLUGIN");
}

template <typename Symbol>
Symbol Find(void* library, const char* name, const std::string& file) {
  void* found = dlsym(library, name);
  if (found != nullptr) return reinterpret_cast<Symbol>(found);
  RefuseWithout(name, file);
}

template <size_t kLength>
std::string TextOf(const char (&text)[kLength]) {
  return {text, strnlen(text, kLength)};
}

std::string TextOf(const uint32_t (&numbers)[9]) {
  std::vector<std::string> words;
  for (const uint32_t number : numbers) words.push_back(std::to_string(number));
  return Join(words, " ");
}

void Compare(const char* what, const std::string& found, const std::string& expected,
             const std::string& file) {
  if (found == expected) return;
  Refuse(file,
         std::string(what) + ": found '" + found + "', expected '" + expected + "'" + kRemedy);
}

// Where number or size differ, nothing else is looked at.
void CheckSeal(const PluginSeal& seal, const std::string& file) {
  const PluginSeal ours = SealOfThisBuild();
  Compare("API number", std::to_string(seal.api), std::to_string(ours.api), file);
  Compare("size of its seal", std::to_string(seal.size), std::to_string(ours.size), file);
  Compare("sizes of structs", TextOf(seal.structs), TextOf(ours.structs), file);
  Compare("public headers", TextOf(seal.headers), TextOf(ours.headers), file);
  Compare("build", TextOf(seal.build), TextOf(ours.build), file);
}

// Before it is opened, for then its initialisers run. What is no library does not open.
void CheckFile(const std::string& file) {
  if (!IsLibrary(file)) return;
  const std::optional<PluginSeal> seal = ReadPluginSeal(file);
  if (!seal) RefuseWithout(kPluginSealSymbol, file);
  CheckSeal(*seal, file);
}

// What `call` throws is the plugin's fault, not a bug of ours.
template <typename Call>
auto Guarded(const std::string& who, const Call& call) {
  try {
    return call();
  } catch (const InputError&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const std::exception& fault) {
    throw InputError(who + " threw: " + fault.what());
  } catch (...) {
    throw InputError(who + " threw what is no std::exception");
  }
}

class GuestMemory : public Memory {
 public:
  GuestMemory(std::string who, Memory& guest) : who_(std::move(who)), guest_(guest) {}

  std::string Kind() const override {
    return Guarded(who_ + ": Kind", [&] { return guest_.Kind(); });
  }
  std::optional<std::string> Save() override {
    return Guarded(who_ + ": Save", [&] { return guest_.Save(); });
  }
  void Load(std::string_view text) override {
    Guarded(who_ + ": Load", [&] { guest_.Load(text); });
  }

 private:
  std::string who_;
  Memory& guest_;
};

class GuestAgent : public Agent {
 public:
  GuestAgent(std::string who, std::unique_ptr<Agent> guest)
      : who_(std::move(who)), guest_(std::move(guest)) {
    Memory* memory = Guarded(who_ + ": memory", [&] { return guest_->memory(); });
    if (memory != nullptr) memory_.emplace(who_, *memory);
  }

  std::vector<Proposal> Propose(int task, int count) override {
    return Guarded(who_ + ": Propose", [&] { return guest_->Propose(task, count); });
  }
  void Learn(std::span<const Trial> trials) override {
    Guarded(who_ + ": Learn", [&] { guest_->Learn(trials); });
  }
  Memory* memory() override { return memory_ ? &*memory_ : nullptr; }

 private:
  std::string who_;
  std::unique_ptr<Agent> guest_;
  std::optional<GuestMemory> memory_;
};

AgentFactory GuardedFactory(const std::string& file, const std::string& name, AgentFactory make) {
  return [who = "plugin " + file + ": agent " + name,
          make = std::move(make)](const AgentContext& context) -> std::unique_ptr<Agent> {
    std::unique_ptr<Agent> guest = Guarded(who, [&] { return make(context); });
    if (guest == nullptr) throw InputError(who + ": its maker gave none");
    return std::make_unique<GuestAgent>(who, std::move(guest));
  };
}

std::vector<AgentEntry> Entries(void* library, const std::string& file) {
  using Create = PluginAgents* (*)();
  using Release = void (*)(PluginAgents*);
  const auto create = Find<Create>(library, "schedulegym_plugin_create", file);
  const auto release = Find<Release>(library, "schedulegym_plugin_release", file);
  const std::unique_ptr<PluginAgents, Release> made(
      Guarded("plugin " + file + ": schedulegym_plugin_create", create), release);
  if (made == nullptr || made->empty()) Refuse(file, "found no agent, expected at least one");
  return *made;
}

void CheckEntry(const AgentEntry& entry, const std::vector<AgentEntry>& known,
                const std::string& file) {
  const Result<Spec> spec = ParseSpec(entry.name);
  if (!spec || !spec->options.empty()) {
    Refuse(file, "agent '" + entry.name + "': expected a name, as in a spec");
  }
  if (!entry.make) Refuse(file, "agent '" + entry.name + "' has no maker");
  for (const AgentEntry& one : known) {
    if (one.name != entry.name) continue;
    Refuse(file, "agent '" + entry.name + "' exists already, expected another name");
  }
}

}  // namespace

std::vector<AgentEntry> AddPlugin(const std::string& file, std::vector<AgentEntry>& agents) {
  CheckFile(file);
  void* library = Open(file);
  std::vector<AgentEntry> all = agents, added;
  for (AgentEntry& entry : Entries(library, file)) {
    CheckEntry(entry, all, file);
    entry.make = GuardedFactory(file, entry.name, std::move(entry.make));
    all.push_back(entry);
    added.push_back(std::move(entry));
  }
  agents = std::move(all);
  return added;
}

}  // namespace schedulegym
