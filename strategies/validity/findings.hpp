#pragma once
// Collects the reasons of a verdict. Private to this folder.

#include <string>
#include <utility>

#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

/// The first finding that ends in failed or invalid decides the outcome: what comes after may only be its consequence.
class Findings {
 public:
  void note(std::string code, std::string detail) { verdict_.reasons.push_back({std::move(code), std::move(detail)}); }
  void suspect(std::string code, std::string detail) {
    verdict_.suspect = true;
    note(std::move(code), std::move(detail));
  }
  void invalid(std::string code, std::string detail) { decide(Outcome::invalid, std::move(code), std::move(detail)); }
  void failed(std::string code, std::string detail) { decide(Outcome::failed, std::move(code), std::move(detail)); }
  bool still_measured() const { return verdict_.outcome == Outcome::measured; }
  Verdict take() && { return std::move(verdict_); }

 private:
  void decide(Outcome outcome, std::string code, std::string detail) {
    if (still_measured()) verdict_.outcome = outcome;
    note(std::move(code), std::move(detail));
  }

  Verdict verdict_;
};

}  // namespace netsettle::strategies
