#pragma once
// The syntax tree of an expression: private to the expression files of this folder.

#include <cstddef>
#include <string>
#include <vector>

#include "datasets/model/expression.hpp"

namespace netsettle {

enum class Operation {
  number,
  text,
  name,  // a parameter, fact or metric; "as_found" and "as_found(rmem)" too
  negate,
  add,
  subtract,
  multiply,
  divide,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  in,  // the first operand is looked for among the others
  logical_and,
  logical_or,
  logical_not,
  minimum,
  maximum,
  round
};

struct Expression::Node {
  Operation operation = Operation::number;
  double number = 0;
  std::string text;  // of a text or name
  std::vector<Node> operands;
  std::size_t height = 1;  // of the tree below, itself included
};

}  // namespace netsettle
