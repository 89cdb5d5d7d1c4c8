#pragma once
// [parameters.*] of the experiment file: each table by itself. What concerns several parameters is in experiment_checks.hpp. Private to
// this folder.

#include <string>
#include <vector>

#include "datasets/model/parameter.hpp"
#include "datasets/model/table_reader.hpp"

namespace netsettle {

/// What an expression is for decides which names it may use and what it must be.
enum class ExpressionRole { range, when, with, require };

/// An expression and the value of the document that holds it.
struct PlacedExpression {
  Expression expression;
  const TomlValue* value = nullptr;
  ExpressionRole role = ExpressionRole::require;
  std::string setting;  // of a `with`
};

/// A setting that a parameter changes (`sets` or `with`) and where it stands.
struct PlacedSetting {
  std::string name;
  TomlPosition position;
};

/// A parameter with the positions that checks across parameters need.
struct PlacedParameter {
  Parameter parameter;
  TomlPosition position;
  bool type_is_known = false;
  std::vector<PlacedExpression> expressions;
  std::vector<PlacedSetting> settings;
};

/// The names of facts: cpus node_cpus cores queues nodes ram link_gbps.
const std::vector<std::string>& fact_names();

/// All parameters, in the order of the file. One with mistakes is there too, as far as it was understood, so that expressions that name it
/// do not make further diagnostics.
std::vector<PlacedParameter> read_parameters(TableReader& reader, RigKind rig);

}  // namespace netsettle
