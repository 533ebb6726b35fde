// WordPlace: trees and graphs of words, for tests of the search alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/decisions/tree_place.h"

namespace schedulegym {

// A word over `letters` letters at each position, complete at `length` letters. It has no schedule.
class WordPlace : public TreePlace {
 public:
  // Words with the same name are the same place; null: no two are.
  using NameOf = std::function<std::string(const std::vector<int>&)>;

  WordPlace(int letters, int length, std::vector<int> word = {}, NameOf name = nullptr)
      : letters_(letters), length_(length), word_(std::move(word)), name_(std::move(name)) {}

  const std::vector<int>& word() const { return word_; }

  int choices() const override { return static_cast<int>(word_.size()) == length_ ? 0 : letters_; }
  std::shared_ptr<const TreePlace> After(int choice) const override {
    std::vector<int> longer = word_;
    longer.push_back(choice);
    return std::make_shared<WordPlace>(letters_, length_, std::move(longer), name_);
  }
  Result<ScheduleState> Complete(Rng&) const override { return InvalidSchedule("a word"); }
  Key key() const override {
    Hasher hasher;
    if (name_) {
      hasher.Add(name_(word_));
    } else {
      for (int letter : word_) hasher.Add(static_cast<uint64_t>(letter) + 1);
    }
    return hasher.KeyValue();
  }
  std::string Word(int choice) const override {
    return std::string(1, static_cast<char>('a' + choice));
  }

  // The word, completed with random letters.
  std::vector<int> Finished(Rng& rng) const {
    std::vector<int> whole = word_;
    while (static_cast<int>(whole.size()) < length_) {
      whole.push_back(static_cast<int>(rng.Below(letters_)));
    }
    return whole;
  }

 private:
  int letters_, length_;
  std::vector<int> word_;
  NameOf name_;
};

inline const std::vector<int>& WordOf(const TreePlace& place) {
  return dynamic_cast<const WordPlace&>(place).word();
}

}  // namespace schedulegym
