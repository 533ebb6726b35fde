// RemoteMemory: what an agent in another process has learned.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "env/base/memory.h"

namespace schedulegym {

// What its functions ask the other side for.
class RemoteMemory : public Memory {
 public:
  using Saver = std::function<std::optional<std::string>()>;
  using Loader = std::function<void(std::string text)>;

  RemoteMemory(std::string kind, Saver save, Loader load)
      : kind_(std::move(kind)), save_(std::move(save)), load_(std::move(load)) {}

  std::string Kind() const override { return kind_; }
  std::optional<std::string> Save() override { return save_(); }
  void Load(std::string_view text) override { load_(std::string(text)); }

 private:
  std::string kind_;
  Saver save_;
  Loader load_;
};

}  // namespace schedulegym
