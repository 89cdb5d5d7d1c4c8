#include "datasets/model/nearest.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;

TEST_CASE("The edit distance counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("measure", "mesure") == 1);
  CHECK(edit_distance("trails", "trials") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("A slip finds its word and a stranger finds none") {
  const std::vector<std::string> words = {"warmup", "measure", "settle", "attempts"};
  CHECK(nearest("mesure", words) == "measure");
  CHECK(nearest("setle", words) == "settle");
  CHECK_FALSE(nearest("frequency", words));
  CHECK_FALSE(nearest("x", words));
  CHECK_FALSE(nearest(std::string(100'000, 'm'), words));
  CHECK(did_you_mean("atempts", words) == "; did you mean 'attempts'?");
  CHECK(did_you_mean("quux", words).empty());
}
