// SameKind: casts a model that is joined to the type of the other.
#pragma once

#include <typeinfo>

#include "env/base/check.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Casts `other` to the type of `model`. LearningModel::JoinedWith requires models of one type.
template <typename Model>
const Model& SameKind(const Model& model, const LearningModel& other) {
  SG_CHECK(typeid(model) == typeid(other), "models of one kind are joined");
  return static_cast<const Model&>(other);
}

}  // namespace schedulegym
