// The extension module: every part of the package, added in turn.
#include "bindings/bindings_internal.h"

PYBIND11_MODULE(_schedulegym, module) {
  module.doc() = "ScheduleGym's nouns; users import them from the package schedulegym.";
  module.attr("__version__") = SCHEDULEGYM_VERSION;
  schedulegym::BindFaults(module);
  schedulegym::BindProgram(module);
  schedulegym::BindSchedule(module);
  schedulegym::BindMeasure(module);
  schedulegym::BindMeasurer(module);
  schedulegym::BindSpaces(module);
  schedulegym::BindAgents(module);
  schedulegym::BindSearch(module);
  schedulegym::BindExport(module);
  schedulegym::BindGym(module);
  schedulegym::BindGymVector(module);
  schedulegym::BindNetwork(module);
  schedulegym::BindAgentServer(module);
  schedulegym::BindProgramFeatures(module);
}
