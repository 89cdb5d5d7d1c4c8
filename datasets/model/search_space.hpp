#pragma once
// The search space: the experiment's parameters with their ranges worked out from the machine's facts, and the constraints.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/configuration.hpp"
#include "datasets/model/experiment.hpp"

namespace netsettle {

/// cpus node_cpus cores queues nodes ram (bytes) link_gbps; what is unknown is absent.
using Facts = std::map<std::string, double>;

/// The value each setting had, by setting name ("sysctl.net.core.rmem_max" → 212992). Vectors and texts are text.
using AsFoundValues = std::map<std::string, Value>;

/// One parameter with numbers in place of expressions.
struct Domain {
  std::string name;
  ParameterType type = ParameterType::integer;
  double low = 0;  // numeric without `levels` only
  double high = 0;
  std::optional<double> step;
  Scale scale = Scale::linear;
  std::vector<Value> levels;      // categorical, boolean, cpus, or numbers given one by one; empty: a range
  std::vector<Value> special;     // without as-found, which is always a level
  std::optional<Value> as_found;  // the machine's value, where all settings of the parameter have the same
};

class SearchSpace {
 public:
  /// Works the ranges out. Failures (all of them): a range that is empty or not finite, an unknown name, a division by zero.
  static std::expected<SearchSpace, Errors> resolve(const Experiment& experiment, const Facts& facts, const AsFoundValues& as_found);

  const std::vector<Domain>& domains() const { return domains_; }
  const Domain* find(std::string_view name) const;

  /// Every parameter as-found: configuration 1 of every study.
  const Configuration& baseline() const { return baseline_; }

  /// Drops inactive parameters (a condition about an inactive parameter is false), and writes as-found where a value equals the value
  /// found: equivalent configurations become equal. A value outside its domain, an unknown parameter or a missing active one is
  /// invalid_input.
  Expected<Configuration> canonical(const Configuration& configuration) const;

  /// The constraints (`require`); a term with an inactive parameter is true. The baseline always satisfies.
  bool satisfies(const Configuration& configuration) const;

  /// Whether a condition decides if the parameter is active.
  bool is_conditional(std::string_view name) const;

  /// How many values a domain has, as-found included; nullopt for a real range.
  static std::optional<std::uint64_t> cardinality(const Domain& domain);

  /// Every canonical configuration that satisfies the constraints, baseline first, the others in a fixed order; nullopt where there are
  /// more than `limit` (before constraints: 100 × limit combinations).
  std::optional<std::vector<Configuration>> enumerate(std::size_t limit) const;

  /// The settings that a configuration asks for, as-found ones left out, `with` included:
  /// setting → canonical text ("sysctl.net.core.rmem_max" → "4194304").
  Expected<std::map<std::string, std::string>> settings_of(const Configuration& configuration) const;

  /// SHA-256 over domains, conditions and constraints.
  std::string hash() const;

 private:
  Expected<void> order_by_conditions();
  Errors unknown_names() const;
  Expected<bool> is_active(const Parameter& parameter, const Configuration& configuration) const;
  std::optional<ExpressionValue> lookup(const Configuration& configuration, std::string_view name) const;
  Expected<std::optional<std::string>> companion_text(const std::string& setting, const Expression& expression,
                                                      const Configuration& configuration) const;

  std::vector<Domain> domains_;
  std::vector<Parameter> parameters_;  // same order
  std::vector<Expression> require_;
  Facts facts_;
  AsFoundValues as_found_;
  std::vector<std::size_t> order_;  // of parameters_: each after those that its condition names
  Configuration baseline_;
};

}  // namespace netsettle
