#include "strategies/statistics/kim_nelson.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace netsettle::strategies;

namespace {

/// 24 blocks of 4 arms.
const std::vector<std::vector<double>> kTable{
    {0.0608, -0.0471, -0.0079, 0.0075},   {0.1078, 0.1449, 0.0408, 0.1394},     {0.0497, 0.2054, 0.0625, 0.0901},
    {0.0131, 0.0315, -0.0301, 0.0348},    {-0.0173, -0.0089, -0.0230, -0.0127}, {0.0301, 0.1057, 0.0257, 0.0392},
    {-0.0298, 0.0219, 0.0137, -0.0074},   {0.0744, 0.1418, 0.0351, 0.0980},     {-0.0530, -0.0320, -0.0967, -0.0343},
    {-0.0714, 0.0741, -0.0354, -0.0116},  {-0.0028, 0.0399, -0.0444, -0.0184},  {0.0551, 0.0828, 0.0765, 0.1018},
    {0.0283, 0.0858, -0.0037, 0.0197},    {0.2725, 0.3025, 0.2286, 0.2565},     {0.1567, 0.1050, 0.1506, 0.1896},
    {0.1005, 0.1815, 0.1008, 0.1974},     {-0.2650, -0.2014, -0.2027, -0.1443}, {-0.0988, -0.0190, -0.0442, -0.0273},
    {-0.0131, -0.0666, -0.0702, -0.0673}, {0.0955, 0.0826, 0.0221, 0.0267},     {-0.1774, -0.1753, -0.2253, -0.1688},
    {0.1279, 0.1283, 0.0734, 0.1184},     {0.1478, 0.0929, 0.0688, 0.1221},     {-0.1235, -0.0829, -0.1877, -0.1571}};

std::vector<ArmValues> first(std::size_t blocks) {
  std::vector<ArmValues> rows;
  for (std::size_t i = 0; i < blocks; ++i) rows.emplace_back(kTable[i].begin(), kTable[i].end());
  return rows;
}

const KimNelsonPlan kPlan{.alpha = 0.05, .delta = 0.02, .first_blocks = 8, .borrowed = {}};

void check(const KimNelsonLeave& leave, std::size_t arm, std::size_t by, int block, double behind, double boundary) {
  CHECK(leave.arm == arm);
  CHECK(leave.by == by);
  CHECK(leave.block == block);
  CHECK(leave.behind == Approx(behind).epsilon(1e-9));
  CHECK(leave.boundary == Approx(boundary).epsilon(1e-9));
}

}  // namespace

TEST_CASE("the constants are those of the paper's formula") {
  // numpy 1.24.2: .5 * ((2 * alpha / (k - 1)) ** (-2 / df) - 1), 2 * eta * df
  struct Row {
    std::size_t arms;
    double freedom, alpha, eta, h2;
  };
  for (const Row& row : {Row{6, 7, 0.05, 1.028938460803196, 14.405138451244744}, Row{6, 11, 0.05, 0.5182950707499474, 11.402491556498843},
                         Row{6, 23, 0.05, 0.20259738078652678, 9.319479516180232}, Row{2, 7, 0.05, 0.46534886444162504, 6.514884102182751},
                         Row{8, 11, 0.025, 0.7279342180347137, 16.014552796763702}}) {
    const auto constants = kim_nelson_constants(row.arms, row.alpha, row.freedom);
    REQUIRE(constants);
    CHECK(constants->eta == Approx(row.eta).epsilon(1e-12));
    CHECK(constants->h2 == Approx(row.h2).epsilon(1e-12));
  }
  CHECK_FALSE(kim_nelson_constants(1, 0.05, 7));
  CHECK_FALSE(kim_nelson_constants(6, 0.05, 0));
  CHECK_FALSE(kim_nelson_constants(2, 0.5, 7));
}

TEST_CASE("arms leave after the blocks at which an independent replay eliminates them") {
  // numpy 1.24.2, a replay of the procedure in 20 lines over the same table
  const auto result = kim_nelson(first(24), 4, kPlan);
  REQUIRE(result);
  REQUIRE(result->left.size() == 2);
  check(result->left[0], 0, 3, 10, 0.01786, 0.01403435245954118);
  check(result->left[1], 2, 3, 10, 0.03583, 0.03257689903212525);
  CHECK(result->survivors == std::vector<std::size_t>{1, 3});
  CHECK(result->leader == 1);
  CHECK(result->most_blocks == 160);
}

TEST_CASE("borrowed variance shortens the race") {
  // numpy 1.24.2, the same replay with n0 = 5 and 7 degrees of freedom of a noise of 3 %
  KimNelsonPlan plan = kPlan;
  plan.first_blocks = 5;
  plan.borrowed = borrowed_noise(4, 0.03, 7);
  const auto result = kim_nelson(first(24), 4, plan);
  REQUIRE(result);
  CHECK(result->constants.freedom == 11);
  REQUIRE(result->left.size() == 3);
  check(result->left[0], 2, 3, 9, 0.03716666666666667, 0.03336490901858184);
  check(result->left[1], 0, 3, 16, 0.019681249999999997, 0.01428593810755387);
  check(result->left[2], 3, 1, 24, 0.016725000000000004, 0.015001964291149956);
  CHECK(result->survivors == std::vector<std::size_t>{1});
  CHECK(result->most_blocks == 103);
}

TEST_CASE("nothing is eliminated before the first blocks are complete") {
  const auto result = kim_nelson(first(7), 4, kPlan);
  REQUIRE(result);
  CHECK(result->left.empty());
  CHECK(result->survivors.size() == 4);
  CHECK(result->leader == 1);
  CHECK_FALSE(result->most_blocks);
  CHECK(kim_nelson({}, 4, kPlan)->survivors.size() == 4);
}

TEST_CASE("what an arm did after it left changes nothing") {
  std::vector<ArmValues> without = first(24), beside = first(24);
  for (std::size_t block = 10; block < 24; ++block) {
    without[block][0] = without[block][2] = std::nullopt;
    beside[block][0] = 7;
  }
  const auto all = kim_nelson(first(24), 4, kPlan);
  for (const auto& blocks : {without, beside}) {
    const auto result = kim_nelson(blocks, 4, kPlan);
    CHECK(result->left.size() == 2);
    CHECK(result->survivors == all->survivors);
    CHECK(result->left[1].behind == all->left[1].behind);
  }
}

TEST_CASE("an arm without a value is withdrawn, by nobody") {
  std::vector<ArmValues> blocks = first(24);
  blocks[4][3] = std::nullopt;
  const auto result = kim_nelson(blocks, 4, kPlan);
  REQUIRE_FALSE(result->left.empty());
  CHECK(result->left[0].arm == 3);
  CHECK_FALSE(result->left[0].by);
  CHECK(result->left[0].block == 4);
  CHECK(result->leader == 1);
}

TEST_CASE("an interrupted race goes on as an uninterrupted one") {
  const auto whole = kim_nelson(first(24), 4, kPlan);
  for (std::size_t n = 10; n < 24; ++n) {
    const auto part = kim_nelson(first(n), 4, kPlan);
    CHECK(part->left.size() == 2);
    CHECK(part->left[1].boundary == whole->left[1].boundary);
  }
}

TEST_CASE("the achieved delta is the smallest at which one arm would be left") {
  // numpy 1.24.2: the replay for each delta in steps of 0.00001
  struct Row {
    std::size_t blocks;
    double delta;
  };
  for (const Row& row : {Row{8, 0.04058}, Row{10, 0.03268}, Row{12, 0.02916}, Row{16, 0.0243}}) {
    const auto achieved = achieved_delta(first(row.blocks), 4, kPlan);
    REQUIRE(achieved);
    CHECK(achieved->arm == 1);
    CHECK(achieved->delta == Approx(row.delta).margin(1.1e-5));
    KimNelsonPlan plan = kPlan;
    plan.delta = achieved->delta;
    CHECK(kim_nelson(first(row.blocks), 4, plan)->survivors == std::vector<std::size_t>{1});
  }
  CHECK_FALSE(achieved_delta(first(7), 4, kPlan));
}

TEST_CASE("the achieved delta of arms that left early asks for no values that they do not have") {
  std::vector<ArmValues> blocks = first(24);
  for (std::size_t block = 10; block < 24; ++block) blocks[block][0] = blocks[block][2] = std::nullopt;
  const auto achieved = achieved_delta(blocks, 4, kPlan);
  REQUIRE(achieved);
  CHECK(achieved->arm == 1);
  CHECK(achieved->delta > kPlan.delta);
}

TEST_CASE("an achieved delta leaves out an arm that was withdrawn") {
  std::vector<ArmValues> blocks = first(12);
  for (std::size_t block = 9; block < 12; ++block) blocks[block][1] = std::nullopt;
  const auto achieved = achieved_delta(blocks, 4, kPlan);
  REQUIRE(achieved);
  CHECK(achieved->arm == 3);
}

TEST_CASE("equal arms end with the first of them") {
  const std::vector<ArmValues> blocks(8, ArmValues{0.5, 0.5, 0.5});
  const auto result = kim_nelson(blocks, 3, {.alpha = 0.05, .delta = 0.01, .first_blocks = 8, .borrowed = {}});
  CHECK(result->survivors == std::vector<std::size_t>{0});
  CHECK(result->most_blocks == 8);
}

TEST_CASE("a plan that does not fit its blocks selects nothing") {
  CHECK_FALSE(kim_nelson(first(10), 3, kPlan));
  KimNelsonPlan plan = kPlan;
  plan.delta = 0;
  CHECK_FALSE(kim_nelson(first(10), 4, plan));
  plan = kPlan;
  plan.first_blocks = 1;
  CHECK_FALSE(kim_nelson(first(10), 4, plan));
  plan = kPlan;
  plan.borrowed = borrowed_noise(3, 0.03, 7);
  CHECK_FALSE(kim_nelson(first(10), 4, plan));
}

TEST_CASE("the delta that a number of trials can select is that of the design") {
  // statistics.md 7.5: six arms, n0 = 12, 120 trials: about 0.72 of the coefficient of variation
  CHECK(*kim_nelson_delta(0.03, 6, 120, 0.05, 11) == Approx(0.03 * 0.7163).epsilon(1e-3));
  CHECK_FALSE(kim_nelson_delta(0, 6, 120, 0.05, 11));
}
