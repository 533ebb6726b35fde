// SameKind: models that are joined, as what they are.
#pragma once

#include <typeinfo>

#include "env/base/check.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// `other` as what `model` is; LearningModel::JoinedWith is given models of one kind.
template <typename Model>
const Model& SameKind(const Model& model, const LearningModel& other) {
  SG_CHECK(typeid(model) == typeid(other), "models of one kind are joined");
  return static_cast<const Model&>(other);
}

}  // namespace schedulegym
