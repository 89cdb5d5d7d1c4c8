#pragma once
// How a machine of the test bed is written down: its parameters as an experiment file has them, and formulas over their values. For the
// files of the machines only; test_bed.hpp makes worlds of them.

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "datasets/model/configuration.hpp"
#include "strategies/worlds/world.hpp"

namespace netsettle::strategies {

/// The values of one configuration; a parameter that it leaves as found, or that is inactive in it, has its default.
class Settings {
 public:
  Settings(const Configuration& configuration, const std::map<std::string, Value>& defaults)
      : configuration_(&configuration), defaults_(&defaults) {}

  /// Precondition of both: the machine has such a parameter.
  double number(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  bool is(const std::string& name, std::string_view value) const { return text(name) == value; }

 private:
  const Value& value(const std::string& name) const;

  const Configuration* configuration_;
  const std::map<std::string, Value>* defaults_;
};

struct MachineFormula {
  std::string_view name;
  std::string_view about;       // half a sentence
  std::string_view parameters;  // TOML: the [parameters.NAME] tables
  double noise = 0.03;          // coefficient of variation of a trial
  Wander wander;
  double (*rate)(const Settings&) = nullptr;  // of a trial that is not in the slow mode
  SlowMode (*slow)(const Settings&) = nullptr;
  bool (*fails)(const Settings&) = nullptr;
  std::string_view best;  // "name=value name=value …": a configuration with the highest mean
};

/// The seven machines on which other optimisers were measured, too (tests/bench/peers/testbed.py has the same formulas).
std::span<const MachineFormula> published_machines();
/// Others, so that tuning to the seven is noticed.
std::span<const MachineFormula> further_machines();

// Shapes that several machines use.
double logistic(double x);
/// Universal scalability law (Gunther 2007): throughput of n workers, in those of one.
double scalability(double n, double contention, double coherence);
/// Rises from 0 at `start` towards 1.
double saturation(double x, double start, double scale);

}  // namespace netsettle::strategies
