#include "strategies/designs/random.hpp"

#include <boost/random/normal_distribution.hpp>

namespace netsettle::strategies {

std::uint64_t splitmix64(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t purpose) { return splitmix64(splitmix64(seed) ^ splitmix64(~purpose)); }

double Random::normal() { return boost::random::normal_distribution<double>()(engine_); }

}  // namespace netsettle::strategies
