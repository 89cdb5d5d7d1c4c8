#pragma once
// Randomness that is handed in as a seed and is the same on every machine and with every standard library (Boost.Random).

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace netsettle::strategies {

/// One output of splitmix64 (Steele, Lea, Flood 2014) for the state `value`: neighbouring states give unrelated numbers.
std::uint64_t splitmix64(std::uint64_t value);

/// A seed for one purpose from a seed for everything: different purposes give unrelated seeds.
std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t purpose);

/// One stream of random numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1).
  double uniform() { return boost::random::uniform_01<double>()(engine_); }
  /// Uniform in low..high, both included.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  /// Uniform in 0..size - 1; size > 0.
  std::size_t index(std::size_t size) { return boost::random::uniform_int_distribution<std::size_t>(0, size - 1)(engine_); }
  /// Normal with mean 0 and standard deviation 1.
  double normal();

 private:
  boost::random::mt19937_64 engine_;
};

/// Fisher-Yates.
template <typename T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.index(i)]);
}

}  // namespace netsettle::strategies
