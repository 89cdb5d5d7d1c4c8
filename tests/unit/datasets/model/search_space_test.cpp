#include "datasets/model/search_space.hpp"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"

using namespace netsettle;

namespace {

const Facts kFacts = {{"cpus", 4}, {"ram", 8.0 * 1024 * 1024 * 1024}, {"nodes", 1}};
const AsFoundValues kAsFound = {{"sysctl.net.core.rmem_max", std::int64_t{212992}},
                                {"sysctl.net.core.rmem_default", std::int64_t{212992}},
                                {"sysctl.net.core.wmem_max", std::int64_t{212992}},
                                {"sysctl.net.core.netdev_max_backlog", std::int64_t{1000}},
                                {"sysctl.net.core.netdev_budget", std::int64_t{300}},
                                {"sysctl.net.core.netdev_budget_usecs", std::int64_t{2000}},
                                {"sysctl.net.core.flag", std::int64_t{0}},
                                {"server.processes", std::int64_t{1}},
                                {"server.cores", std::int64_t{4}},
                                {"server.placement", std::string("spread")},
                                {"queues.rps.count", std::int64_t{0}}};

Experiment experiment_of(const std::string& parameters) {
  auto experiment =
      parse_experiment("schema = 1\n[study]\nname = \"t\"\n[load]\nqueries = \"q\"\n[budget]\ntrials = 40\n" + parameters, "t.toml", {});
  if (!experiment) FAIL(to_text(experiment.error().front()));
  return *experiment;
}

SearchSpace space_of(const std::string& parameters, const AsFoundValues& as_found = kAsFound) {
  auto space = SearchSpace::resolve(experiment_of(parameters), kFacts, as_found);
  if (!space) FAIL(to_text(space.error().front()));
  return *space;
}

const std::string kProcesses = "[parameters.processes]\nsets = \"server.processes\"\ntype = \"integer\"\nrange = [1, \"cpus\"]\n";
const std::string kRmem =
    "[parameters.rmem]\nsets = [\"sysctl.net.core.rmem_max\", \"sysctl.net.core.rmem_default\"]\ntype = \"bytes\"\n"
    "range = [\"64KiB\", \"ram / 8\"]\nscale = \"log\"\nspecial = [\"4GiB\"]\n";
const std::string kPlacement =
    "[parameters.placement]\nsets = \"server.placement\"\ntype = \"categorical\"\nvalues = [\"pack\", \"spread\"]\n";

Value number(std::int64_t value) { return value; }

std::string text_of(const std::vector<Configuration>& configurations) {
  std::string text;
  for (const auto& configuration : configurations) text += describe(configuration) + "; ";
  return text;
}

}  // namespace

TEST_CASE("Ranges are worked out from the facts") {
  const SearchSpace space = space_of(kProcesses + kRmem);
  REQUIRE(space.domains().size() == 2);
  CHECK(space.find("processes")->low == 1);
  CHECK(space.find("processes")->high == 4);
  CHECK(space.find("rmem")->high == 1073741824.0);
  CHECK(space.find("rmem")->as_found == number(212992));
  CHECK(space.find("nothing") == nullptr);
}

TEST_CASE("The ends of whole ranges are rounded to nearest") {
  const SearchSpace space =
      space_of("[parameters.p]\nsets = \"server.processes\"\ntype = \"integer\"\nrange = [\"cpus / 3\", \"cpus / 1.5\"]\n");
  CHECK(space.find("p")->low == 1);
  CHECK(space.find("p")->high == 3);
}

TEST_CASE("All ranges that cannot be worked out are reported together") {
  const auto experiment = experiment_of(
      "[parameters.a]\nsets = \"server.processes\"\ntype = \"integer\"\nrange = [8, \"cpus\"]\n"
      "[parameters.b]\nsets = \"server.cores\"\ntype = \"integer\"\nrange = [1, \"queues\"]\n"
      "[parameters.c]\nsets = \"sysctl.net.core.x\"\ntype = \"integer\"\nrange = [1, \"ram / (nodes - 1)\"]\n"
      "[parameters.d]\nsets = \"sysctl.net.core.y\"\ntype = \"integer\"\nrange = [\"cpus - 4\", 8]\nscale = \"log\"\n");
  const auto space = SearchSpace::resolve(experiment, kFacts, kAsFound);
  REQUIRE_FALSE(space);
  REQUIRE(space.error().size() == 4);
  CHECK(to_text(space.error()[0]) == "a: its range is empty here: 8 is above 4");
  CHECK(to_text(space.error()[1]) == "b: in its range \"queues\": unknown name 'queues'");
  CHECK_THAT(to_text(space.error()[2]), Catch::Contains("division by zero"));
  CHECK(to_text(space.error()[3]) == "d: a log scale needs a range above 0, not from 0");
}

TEST_CASE("A fact that is unknown here is an error also in constraints and conditions") {
  const auto experiment = experiment_of(kProcesses + "when = \"queues > 1\"\n[constraints]\nrequire = [\"processes <= link_gbps\"]\n");
  const auto space = SearchSpace::resolve(experiment, kFacts, kAsFound);
  REQUIRE_FALSE(space);
  REQUIRE(space.error().size() == 2);
  CHECK(to_text(space.error()[0]) == "processes: in \"queues > 1\": 'queues' is not known here");
  CHECK(to_text(space.error()[1]) == "require: in \"processes <= link_gbps\": 'link_gbps' is not known here");
}

TEST_CASE("Conditions in a circle are an error even in an experiment that no file made") {
  Experiment experiment = experiment_of(kProcesses + kPlacement);
  experiment.parameters[0].when = Expression::parse("placement == 'pack'").value();
  experiment.parameters[1].when = Expression::parse("processes > 1").value();
  const auto space = SearchSpace::resolve(experiment, kFacts, kAsFound);
  REQUIRE_FALSE(space);
  CHECK_THAT(to_text(space.error().front()), Catch::Contains("circle"));
}

TEST_CASE("The value found is written as as-found, so equal configurations are equal") {
  const SearchSpace space = space_of(kProcesses + kRmem + kPlacement);
  const auto canonical = space.canonical({{{"processes", number(1)}, {"rmem", number(212992)}, {"placement", std::string("spread")}}});
  REQUIRE(canonical);
  CHECK(*canonical == space.baseline());
  CHECK(hash(*canonical) == hash(space.baseline()));
  CHECK(describe(space.baseline()) == "placement=as-found, processes=as-found, rmem=as-found");
}

TEST_CASE("Settings of one parameter that differed have no common value found") {
  AsFoundValues differing = kAsFound;
  differing["sysctl.net.core.rmem_max"] = std::int64_t{4194304};
  const SearchSpace space = space_of(kRmem, differing);
  CHECK_FALSE(space.find("rmem")->as_found);
  CHECK(space.canonical({{{"rmem", number(212992)}}})->values.at("rmem") == number(212992));
  AsFoundValues unknown = kAsFound;
  unknown.erase("sysctl.net.core.rmem_max");
  CHECK_FALSE(space_of(kRmem, unknown).find("rmem")->as_found);
}

TEST_CASE("The value found is taken in the type of the parameter") {
  const SearchSpace space = space_of(
      "[parameters.flag]\nsets = \"sysctl.net.core.flag\"\ntype = \"boolean\"\n"
      "[parameters.level]\nsets = \"sysctl.net.core.netdev_max_backlog\"\ntype = \"categorical\"\nvalues = [\"1000\", \"2000\"]\n"
      "[parameters.weight]\nsets = \"sysctl.net.core.netdev_budget\"\ntype = \"real\"\nrange = [1, 500]\n");
  CHECK(space.find("flag")->as_found == Value(false));
  CHECK(space.find("level")->as_found == Value(std::string("1000")));
  CHECK(space.find("weight")->as_found == Value(300.0));
  const auto canonical = space.canonical({{{"flag", false}, {"level", std::string("1000")}, {"weight", number(300)}}});
  REQUIRE(canonical);
  CHECK(*canonical == space.baseline());
}

TEST_CASE("What a domain does not contain is refused") {
  const SearchSpace space = space_of(kProcesses + kRmem + kPlacement);
  const auto with = [&space](const std::string& name, const Value& value) {
    Configuration configuration = {{{"processes", AsFound{}}, {"rmem", AsFound{}}, {"placement", AsFound{}}}};
    configuration.values[name] = value;
    return space.canonical(configuration);
  };
  CHECK(with("processes", number(4)));
  CHECK(with("rmem", number(std::int64_t{4} << 30)));  // a special value outside the range
  CHECK(to_text(with("processes", number(5)).error()) == "processes: 5 is not one of its values (from 1 to 4)");
  CHECK_FALSE(with("processes", number(0)));
  CHECK_FALSE(with("processes", 2.0));
  CHECK_FALSE(with("processes", std::string("2")));
  CHECK_FALSE(with("processes", true));
  CHECK_FALSE(with("rmem", number(65535)));
  CHECK(to_text(with("placement", std::string("nowhere")).error()) == "placement: nowhere is not one of its values (pack, spread)");
  CHECK(to_text(with("threads", number(1)).error()) == "threads: there is no such parameter");
  CHECK(to_text(space.canonical({{{"processes", number(2)}}}).error()) == "rmem: the configuration has no value for it");
}

TEST_CASE("A value outside the range that the machine had is as found") {
  AsFoundValues large = kAsFound;
  large["server.processes"] = std::int64_t{64};
  const SearchSpace space = space_of(kProcesses, large);
  CHECK(space.canonical({{{"processes", number(64)}}})->values.at("processes") == Value(AsFound{}));
}

TEST_CASE("Steps allow only their multiples") {
  const SearchSpace space = space_of(
      "[parameters.b]\nsets = \"sysctl.net.core.netdev_budget\"\ntype = \"integer\"\nrange = [100, 350]\nstep = 100\n"
      "[parameters.w]\nsets = \"sysctl.net.core.w\"\ntype = \"real\"\nrange = [0, 0.3]\nstep = 0.1\n");
  CHECK(space.canonical({{{"b", number(200)}, {"w", 0.1 + 0.2}}}));
  CHECK(space.canonical({{{"b", number(200)}, {"w", 0.1 + 0.2}}}).value() == space.canonical({{{"b", number(200)}, {"w", 0.3}}}).value());
  CHECK(space.enumerate(100).value().size() == 15);
  CHECK_FALSE(space.canonical({{{"b", number(250)}, {"w", 0.1}}}));
  CHECK_FALSE(space.canonical({{{"b", number(200)}, {"w", 0.15}}}));
  CHECK_FALSE(space.canonical({{{"b", number(200)}, {"w", 0.4}}}));
  CHECK(SearchSpace::cardinality(*space.find("b")) == 3u);  // 100, 200, 300, which the machine had
  CHECK(SearchSpace::cardinality(*space.find("w")) == 5u);  // 0, 0.1, 0.2, 0.3, as found
}

TEST_CASE("Inactive parameters make no difference") {
  const SearchSpace space = space_of(kProcesses + kPlacement + "when = \"processes > 1\"\n");
  const auto one = space.canonical({{{"processes", number(1)}, {"placement", std::string("pack")}}});
  REQUIRE(one);
  CHECK(describe(*one) == "processes=as-found");
  CHECK(*one == space.baseline());
  CHECK(describe(space.canonical({{{"processes", number(2)}, {"placement", std::string("pack")}}}).value()) ==
        "placement=pack, processes=2");
  CHECK(describe(space.canonical({{{"processes", number(1)}}}).value()) == "processes=as-found");
}

TEST_CASE("A condition may stand before the parameter it names, and goes down a chain") {
  const SearchSpace space =
      space_of(kPlacement + "when = \"processes > 1\"\n" + kProcesses +
               "[parameters.cores]\nsets = \"server.cores\"\ntype = \"integer\"\nrange = [1, 4]\nwhen = \"placement == 'pack'\"\n");
  const auto canonical = [&space](std::int64_t processes, const std::string& placement) {
    return describe(space.canonical({{{"processes", number(processes)}, {"placement", placement}, {"cores", number(2)}}}).value());
  };
  CHECK(canonical(1, "pack") == "processes=as-found");
  CHECK(canonical(2, "spread") == "placement=as-found, processes=2");
  CHECK(canonical(2, "pack") == "cores=2, placement=pack, processes=2");
}

TEST_CASE("Constraints use values found where a parameter is as found") {
  const SearchSpace space =
      space_of(kProcesses + kRmem + "[constraints]\nrequire = [\"rmem * processes <= 524288\", \"processes < as_found(rmem)\"]\n");
  const auto satisfies = [&space](const Value& processes, const Value& rmem) {
    return space.satisfies(space.canonical({{{"processes", processes}, {"rmem", rmem}}}).value());
  };
  CHECK(satisfies(number(2), AsFound{}));        // 2 * 212992
  CHECK_FALSE(satisfies(number(3), AsFound{}));  // 3 * 212992
  CHECK(satisfies(number(4), number(131072)));
  CHECK_FALSE(satisfies(AsFound{}, number(1048576)));
}

TEST_CASE("The baseline satisfies whatever is required, and an inactive parameter satisfies its term") {
  const SearchSpace space = space_of(kProcesses + kPlacement + "when = \"processes > 2\"\n" +
                                     "[constraints]\nrequire = [\"processes > 1\", \"placement == 'pack'\"]\n");
  CHECK(space.satisfies(space.baseline()));
  CHECK(space.satisfies(space.canonical({{{"processes", number(2)}}}).value()));
  CHECK_FALSE(space.satisfies(space.canonical({{{"processes", number(3)}, {"placement", std::string("spread")}}}).value()));
}

TEST_CASE("A parameter hides a fact of the same name, but not in a range") {
  const SearchSpace space = space_of(
      "[parameters.cpus]\nsets = \"server.processes\"\ntype = \"integer\"\nrange = [1, \"cpus\"]\n"
      "[constraints]\nrequire = [\"cpus <= 2\"]\n");
  CHECK(space.find("cpus")->high == 4);
  CHECK(space.satisfies({{{"cpus", number(2)}}}));
  CHECK_FALSE(space.satisfies({{{"cpus", number(3)}}}));
}

TEST_CASE("A constraint that cannot be computed does not hold") {
  const SearchSpace space = space_of("[parameters.rps]\nsets = \"queues.rps.count\"\ntype = \"integer\"\nrange = [0, 4]\nspecial = []\n" +
                                     kProcesses + "[constraints]\nrequire = [\"8 / (processes - 2) > 0\"]\n");
  CHECK_FALSE(space.satisfies(space.canonical({{{"processes", number(2)}, {"rps", number(1)}}}).value()));
  CHECK(space.satisfies(space.canonical({{{"processes", number(3)}, {"rps", number(1)}}}).value()));
}

TEST_CASE("Cardinality counts each value once, as-found included") {
  const SearchSpace space =
      space_of(kProcesses + kRmem + kPlacement +
               "[parameters.real]\nsets = \"sysctl.net.core.r\"\ntype = \"real\"\nrange = [0, 1]\n"
               "[parameters.list]\nsets = \"sysctl.net.core.l\"\ntype = \"integer\"\nvalues = [1, 5]\nspecial = [5, 9]\n"
               "[parameters.flag]\nsets = \"sysctl.net.core.flag\"\ntype = \"boolean\"\n");
  CHECK(SearchSpace::cardinality(*space.find("processes")) == 4u);
  CHECK(SearchSpace::cardinality(*space.find("rmem")) == 1073741824u - 65536u + 1 + 1);
  CHECK(SearchSpace::cardinality(*space.find("placement")) == 2u);
  CHECK_FALSE(SearchSpace::cardinality(*space.find("real")));
  CHECK(SearchSpace::cardinality(*space.find("list")) == 4u);  // 1, 5, 9, as found
  CHECK(SearchSpace::cardinality(*space.find("flag")) == 2u);
}

TEST_CASE("A sweep gets every configuration once, the baseline first") {
  const SearchSpace space = space_of(kProcesses + kPlacement);
  const auto all = space.enumerate(100);
  REQUIRE(all);
  CHECK(all->size() == 8);
  CHECK(all->front() == space.baseline());
  CHECK_THAT(text_of(*all), Catch::StartsWith("placement=as-found, processes=as-found; placement=pack, processes=as-found; "
                                              "placement=as-found, processes=2; "));
  std::set<std::string> hashes;
  for (const auto& configuration : *all) {
    CHECK(hashes.insert(hash(configuration)).second);
    CHECK(space.canonical(configuration).value() == configuration);
  }
  CHECK(space.enumerate(8));
  CHECK_FALSE(space.enumerate(7));
}

TEST_CASE("Enumeration drops inactive duplicates and what the constraints exclude") {
  const SearchSpace space = space_of(kProcesses + kPlacement + "when = \"processes > 2\"\n[constraints]\nrequire = [\"processes != 3\"]\n");
  CHECK(text_of(space.enumerate(100).value()) ==
        "processes=as-found; processes=2; placement=as-found, processes=4; placement=pack, processes=4; ");
}

TEST_CASE("A space without end is not enumerated") {
  CHECK_FALSE(space_of(kRmem).enumerate(1000));
  CHECK_FALSE(space_of("[parameters.r]\nsets = \"sysctl.net.core.r\"\ntype = \"real\"\nrange = [0, 1]\n").enumerate(1000));
  std::string many;
  for (int i = 0; i < 40; ++i)
    many += fmt::format("[parameters.p{}]\nsets = \"sysctl.net.core.x{}\"\ntype = \"integer\"\nrange = [1, 1000]\n", i, i);
  CHECK_FALSE(space_of(many).enumerate(1000));
}

TEST_CASE("A configuration's settings leave out what is as found") {
  const SearchSpace space =
      space_of(kProcesses + kRmem + kPlacement + "[parameters.flag]\nsets = \"sysctl.net.core.flag\"\ntype = \"boolean\"\n");
  using Settings = std::map<std::string, std::string>;
  CHECK(space.settings_of(space.baseline()).value() == Settings{});
  const auto chosen =
      space.canonical({{{"processes", number(2)}, {"rmem", number(4194304)}, {"placement", std::string("pack")}, {"flag", true}}});
  REQUIRE(chosen);
  CHECK(space.settings_of(*chosen).value() == Settings{{"server.placement", "pack"},
                                                       {"server.processes", "2"},
                                                       {"sysctl.net.core.flag", "1"},
                                                       {"sysctl.net.core.rmem_default", "4194304"},
                                                       {"sysctl.net.core.rmem_max", "4194304"}});
}

TEST_CASE("Settings that go along are computed and rounded") {
  const SearchSpace space = space_of(
      "[parameters.budget]\nsets = \"sysctl.net.core.netdev_budget\"\ntype = \"integer\"\nrange = [64, 4096]\nscale = \"log\"\n"
      "with = { \"sysctl.net.core.netdev_budget_usecs\" = \"max(as_found, as_found * budget / as_found(budget))\", "
      "\"sysctl.net.core.wmem_max\" = 4096 }\n");
  const auto settings = [&space](std::int64_t budget) {
    return space.settings_of(space.canonical({{{"budget", number(budget)}}}).value()).value();
  };
  CHECK(settings(700).at("sysctl.net.core.netdev_budget_usecs") == "4667");  // 2000 * 700 / 300
  CHECK(settings(100).at("sysctl.net.core.netdev_budget_usecs") == "2000");
  CHECK(settings(100).at("sysctl.net.core.wmem_max") == "4096");
  CHECK(settings(300).empty());  // as found: nothing goes along
}

TEST_CASE("A setting that goes along stays as found where its own value is unknown") {
  AsFoundValues unknown = kAsFound;
  unknown.erase("sysctl.net.core.wmem_max");
  const SearchSpace space = space_of(kProcesses + "with = { \"sysctl.net.core.wmem_max\" = \"as_found * processes\" }\n", unknown);
  CHECK(space.settings_of({{{"processes", number(2)}}}).value() == std::map<std::string, std::string>{{"server.processes", "2"}});
}

TEST_CASE("A companion that cannot be computed is an error that names the expression") {
  const SearchSpace space = space_of(kProcesses + "with = { \"sysctl.net.core.wmem_max\" = \"8 / (processes - 2)\" }\n");
  CHECK(to_text(space.settings_of({{{"processes", number(2)}}}).error()) == "8 / (processes - 2): division by zero");
  CHECK(space.settings_of({{{"processes", number(4)}}}).value().at("sysctl.net.core.wmem_max") == "4");
}

TEST_CASE("The hash of a space is stable and covers ranges, conditions and constraints") {
  const std::string base = space_of(kProcesses + kPlacement).hash();
  CHECK(base == space_of(kProcesses + kPlacement).hash());
  CHECK(base != space_of(kPlacement + kProcesses).hash());
  CHECK(base != space_of(kProcesses + kPlacement + "when = \"processes > 1\"\n").hash());
  CHECK(base != space_of(kProcesses + kPlacement + "[constraints]\nrequire = [\"processes > 1\"]\n").hash());
  AsFoundValues other = kAsFound;
  other["server.processes"] = std::int64_t{2};
  CHECK(base != space_of(kProcesses + kPlacement, other).hash());
}
