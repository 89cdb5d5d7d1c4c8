#pragma once
// Series for the tests of series statistics. The reference program makes the same ones.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {

/// About normal, mean 0 and deviation 1: sums of 12 numbers of the generator x ← 1664525 x + 1013904223 mod 2³² from x = 1, exact in
/// doubles.
inline std::vector<double> reference_noise(std::size_t n) {
  std::uint32_t x = 1;
  std::vector<double> noise;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < 12; ++j) {
      x = 1664525u * x + 1013904223u;
      sum += x / 4294967296.0;
    }
    noise.push_back(sum - 6);
  }
  return noise;
}

/// 150 rates around 1000 with deviation 20.
inline std::vector<double> reference_flat() {
  std::vector<double> values = reference_noise(150);
  for (double& value : values) value = 1000 + 20 * value;
  return values;
}

/// The same, from 30 % below, approaching by 1/e each `constant` points.
inline std::vector<double> reference_warmup(double constant) {
  std::vector<double> values = reference_flat();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= 300 * std::exp(-static_cast<double>(i) / constant);
  return values;
}

/// 150 points: 1000 up to 40, 1120 up to 90, then 1040; deviation 20, from 120 on 60.
inline std::vector<double> reference_steps() {
  std::vector<double> values = reference_noise(150);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i < 40 ? 1000 : i < 90 ? 1120 : 1040) + (i < 120 ? 20 : 60) * values[i];
  return values;
}

/// Normal with mean 1 and this deviation; neighbours are correlated by `correlation`.
inline std::vector<double> noisy_level(std::uint64_t seed, std::size_t n, double deviation, double correlation) {
  Random random(seed);
  std::vector<double> values;
  double state = random.normal();
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(1 + deviation * state);
    state = correlation * state + std::sqrt(1 - correlation * correlation) * random.normal();
  }
  return values;
}

}  // namespace netsettle::strategies
