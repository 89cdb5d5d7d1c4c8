#include "strategies/designs/space_filling.hpp"

#include <set>

namespace netsettle::strategies {
namespace {

constexpr std::uint64_t kHypercubeSeed = 0x6c6873;  // "lhs"
constexpr std::size_t kPointsEach = 100;

std::uint32_t reversed(std::uint32_t bits) {
  bits = (bits >> 16) | (bits << 16);
  bits = ((bits & 0xff00ff00u) >> 8) | ((bits & 0x00ff00ffu) << 8);
  bits = ((bits & 0xf0f0f0f0u) >> 4) | ((bits & 0x0f0f0f0fu) << 4);
  bits = ((bits & 0xccccccccu) >> 2) | ((bits & 0x33333333u) << 2);
  return ((bits & 0xaaaaaaaau) >> 1) | ((bits & 0x55555555u) << 1);
}

/// Each bit is flipped by a hash of those below it: on reversed bits, a nested scramble.
std::uint32_t laine_karras(std::uint32_t bits, std::uint32_t seed) {
  bits += seed;
  bits ^= bits * 0x6c50b47cu;
  bits ^= bits * 0xb82f1e52u;
  bits ^= bits * 0xc7afe638u;
  bits ^= bits * 0x8d22f6e6u;
  return bits;
}

double scrambled(std::uint32_t bits, std::uint32_t seed) {
  constexpr double kAll = 4294967296.0;  // 2^32
  return reversed(laine_karras(reversed(bits), seed)) / kAll;
}

}  // namespace

ScrambledSobol::ScrambledSobol(std::size_t dimensions, std::uint64_t seed) : engine_(dimensions) {
  for (std::size_t i = 0; i < dimensions; ++i) seeds_.push_back(static_cast<std::uint32_t>(derive_seed(seed, i)));
}

CubePoint ScrambledSobol::next() {
  CubePoint point;
  // The engine leaves out the origin, with which the sequence begins.
  for (const std::uint32_t seed : seeds_) point.push_back(scrambled(first_ ? 0 : engine_(), seed));
  first_ = false;
  return point;
}

std::vector<CubePoint> latin_hypercube(std::size_t points, std::size_t dimensions, Random& random) {
  std::vector<CubePoint> design(points, CubePoint(dimensions));
  std::vector<std::size_t> parts(points);
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    for (std::size_t i = 0; i < points; ++i) parts[i] = i;
    shuffle(parts, random);
    for (std::size_t i = 0; i < points; ++i)
      design[i][axis] = (static_cast<double>(parts[i]) + random.uniform()) / static_cast<double>(points);
  }
  return design;
}

std::vector<Configuration> space_filling(const SearchSpace& space, std::size_t count, std::uint64_t seed, Filling filling) {
  const UnitCube cube(space, kSampleShares);
  if (cube.size() == 0) return {};
  std::vector<Configuration> found;
  std::set<std::string> seen{canonical_text(space.baseline())};
  const auto take = [&](const CubePoint& point) {
    auto configuration = cube.at(point);
    if (configuration && seen.insert(canonical_text(*configuration)).second) found.push_back(*std::move(configuration));
  };
  if (filling == Filling::latin_hypercube) {
    Random random(derive_seed(seed, kHypercubeSeed));
    for (const CubePoint& point : latin_hypercube(count, cube.size(), random)) take(point);
  }
  ScrambledSobol sequence(cube.size(), seed);
  for (std::size_t i = 0; i < kPointsEach * count && found.size() < count; ++i) take(sequence.next());
  return found;
}

}  // namespace netsettle::strategies
