#include "strategies/designs/two_level.hpp"

namespace netsettle::strategies {
namespace {

bool is_prime(std::size_t number) {
  for (std::size_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return number >= 2;
}

/// Squares modulo q; zero is one of them.
std::vector<bool> squares(std::size_t q) {
  std::vector<bool> is_square(q, false);
  for (std::size_t i = 0; i < q; ++i) is_square[i * i % q] = true;
  return is_square;
}

}  // namespace

TwoLevelPlan plackett_burman(std::size_t factors) {
  std::size_t q = 3;
  while (q < factors || !is_prime(q)) q += 4;
  const std::vector<bool> generator = squares(q);
  TwoLevelPlan plan;
  for (std::size_t run = 0; run < q; ++run) {
    std::vector<bool> row;
    for (std::size_t factor = 0; factor < factors; ++factor) row.push_back(generator[(factor + q - run) % q]);
    plan.push_back(std::move(row));
  }
  plan.emplace_back(factors, false);
  return plan;
}

TwoLevelPlan folded_over(const TwoLevelPlan& plan) {
  TwoLevelPlan both;
  for (const auto& row : plan) {
    both.push_back(row);
    both.push_back(row);
    both.back().flip();
  }
  return both;
}

}  // namespace netsettle::strategies
