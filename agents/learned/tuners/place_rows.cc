#include "agents/learned/tuners/place_rows.h"

namespace schedulegym {
namespace {

constexpr float kLargeLogarithm = 8;  // of the numbers of knobs, of which most are below 256

}  // namespace

std::vector<float> PolicyRow(const KnobField& field, const FieldPlace& place) {
  std::vector<float> row = field.Row(place);
  for (int knob = 0; knob < field.knobs(place.sketch).dimensions(); ++knob) {
    float& logarithm = row[static_cast<size_t>(field.ColumnOf(place.sketch, knob)) + 1];
    if (logarithm > 0) logarithm /= kLargeLogarithm;
  }
  return row;
}

}  // namespace schedulegym
