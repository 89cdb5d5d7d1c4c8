#pragma once
// What the surrogate need not work out again while the same study goes on: fitted hyper-parameters, by the data that they were fitted to.
// It changes no result: with and without it the same record gives the same model.

#include <cstdint>
#include <map>
#include <vector>

namespace netsettle::strategies {

class SurrogateMemory {
 public:
  /// nullptr where nothing is known of this data.
  const std::vector<double>* find(std::uint64_t data) const {
    const auto found = known_.find(data);
    return found == known_.end() ? nullptr : &found->second;
  }
  void keep(std::uint64_t data, std::vector<double> hyper_parameters) { known_[data] = std::move(hyper_parameters); }

 private:
  std::map<std::uint64_t, std::vector<double>> known_;
};

}  // namespace netsettle::strategies
