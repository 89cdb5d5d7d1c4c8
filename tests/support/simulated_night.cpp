#include "tests/support/simulated_night.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "datasets/model/experiment_file.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/worlds/simulation.hpp"
#include "tuner/loop/store_recorder.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tests {
namespace {

using strategies::Random;

template <typename T, typename E>
T take(std::expected<T, E> result) {
  if (result) return std::move(*result);
  if constexpr (std::is_same_v<E, Error>)
    throw std::runtime_error(to_text(result.error()));
  else
    throw std::runtime_error("a list of mistakes");
}

void take(Expected<void> result) {
  if (!result) throw std::runtime_error(to_text(result.error()));
}

Experiment parsed(const Night& night) { return take(parse_experiment(night.experiment, "night.toml", {})); }

SearchSpace resolved(const Night& night) { return take(SearchSpace::resolve(parsed(night), {}, night.as_found)); }

datasets::Store begin(const Night& night, const std::filesystem::path& record) {
  const Experiment experiment = parsed(night);
  const SearchSpace space = resolved(night);
  datasets::StudyRecord study;
  study.name = experiment.study.name;
  study.spec_file = "night.toml";
  study.spec_text = night.experiment;
  study.spec_hash = experiment_hash(experiment);
  study.space_hash = space.hash();
  study.seed = experiment.study.seed;
  study.as_found = night.as_found;
  study.host_facts_json = "{}";
  datasets::describe_space(experiment, space, study);
  return take(datasets::Store::create(record, study, 0));
}

/// Passes everything on, until the cut.
class CuttingRecorder final : public strategies::Recorder {
 public:
  CuttingRecorder(datasets::Store& store, Random& random) : store_(store), inner_(store, [] { return 1; }), random_(random) {}

  bool cut_in_a_trial() const { return cut_in_a_trial_; }

  Expected<std::vector<strategies::PlannedIds>> plan(const strategies::RunBlock& block) override {
    return around([&] { return inner_.plan(block); });
  }
  Expected<std::int64_t> repeat(const Trial& next, std::int64_t retry_of) override {
    return around([&] { return inner_.repeat(next, retry_of); });
  }
  Expected<void> decide(std::vector<Decision>& decisions) override {
    return around([&] { return inner_.decide(decisions); });
  }
  Expected<void> record(const Trial& trial, const TrialEvidence* evidence) override {
    if (random_.uniform() < kShare) {
      take(store_.set_trial_state(trial.id, TrialState::measuring));
      cut_in_a_trial_ = true;
      return cut();
    }
    return around([&] { return inner_.record(trial, evidence); });
  }

 private:
  static constexpr double kShare = 0.03;

  static std::unexpected<Error> cut() { return fail(ErrorCode::interrupted, "night", "cut off"); }

  template <typename Work>
  auto around(Work work) -> decltype(work()) {
    if (random_.uniform() < kShare) return cut();
    auto result = work();
    if (random_.uniform() < kShare) return cut();
    return result;
  }

  datasets::Store& store_;
  tuner::StoreRecorder inner_;
  Random& random_;
  bool cut_in_a_trial_ = false;
};

/// What a crash at this moment leaves: the files, whatever the process had in mind.
std::filesystem::path crash_image(const std::filesystem::path& record, int session) {
  const auto folder = record.parent_path().parent_path() / fmt::format("session-{}", session);
  std::filesystem::create_directories(folder);
  const auto copy = folder / record.filename();
  std::filesystem::copy_file(record, copy);
  if (std::filesystem::exists(record.string() + "-wal")) std::filesystem::copy_file(record.string() + "-wal", copy.string() + "-wal");
  return copy;
}

/// Numbers of the trials as they would be without interruptions: block by block its places in order, then the repeats.
std::map<std::int64_t, std::pair<std::int64_t, int>> renumbered(const std::vector<Trial>& trials) {
  std::map<int, std::map<int, std::vector<const Trial*>>> blocks;
  for (const Trial& trial : trials)
    if (trial.state != TrialState::interrupted) blocks[trial.block][trial.position].push_back(&trial);
  std::map<std::int64_t, std::pair<std::int64_t, int>> numbers;
  std::int64_t next = 0;
  for (const auto& [block, places] : blocks) {
    for (const auto& [position, attempts] : places) numbers[attempts.front()->id] = {++next, 1};
    for (const auto& [position, attempts] : places)
      for (std::size_t i = 1; i < attempts.size(); ++i) numbers[attempts[i]->id] = {++next, static_cast<int>(i) + 1};
  }
  return numbers;
}

/// Keys of a decision's inputs that hold ids of trials, one or a list.
bool names_trials(const std::string& key) {
  return key == "trial" || key == "trials" || key == "first_trial_after" || key == "last_trial_before";
}

void renumber(nlohmann::json& inputs, const std::map<std::int64_t, std::pair<std::int64_t, int>>& numbers) {
  if (inputs.is_object())
    for (auto& [key, value] : inputs.items()) {
      if (names_trials(key) && value.is_number_integer()) {
        value = numbers.at(value.get<std::int64_t>()).first;
      } else if (names_trials(key) && value.is_array() && !value.empty() && value.front().is_number_integer()) {
        for (auto& id : value) id = numbers.at(id.get<std::int64_t>()).first;
      } else {
        renumber(value, numbers);
      }
    }
  if (inputs.is_array())
    for (auto& item : inputs) renumber(item, numbers);
}

std::string bits(double value) { return fmt::format("{:016x}", std::bit_cast<std::uint64_t>(value)); }
std::string bits(const std::optional<double>& value) { return value ? bits(*value) : "-"; }

std::string trial_line(const Trial& trial, std::pair<std::int64_t, int> number) {
  std::string line = fmt::format("trial {} of {} {} block {} position {} attempt {} {} {} seed {}", number.first, trial.configuration_id,
                                 to_text(trial.purpose), trial.block, trial.position, number.second, to_text(trial.state),
                                 trial.outcome ? to_text(*trial.outcome) : "-", trial.seed);
  for (const Reason& reason : trial.reasons) line += fmt::format(" {}:{}", reason.code, reason.detail);
  for (const auto& [name, value] : trial.measurements) line += fmt::format(" {}={}", name, bits(value));
  return line + "\n";
}

}  // namespace

Night night_of(std::uint64_t seed) {
  Random random(strategies::derive_seed(seed, 1));
  Night night;
  const bool external = random.uniform() < 0.5;
  const std::string_view strategy = random.uniform() < 0.3 ? "sweep" : "random";
  const auto parameter = [external](std::string_view name, std::string_view rest) {
    return fmt::format("[parameters.{0}]\n{1}\ntype = \"integer\"\n{2}\n", name,
                       external ? "default = 1" : fmt::format("sets = \"server.{}\"", name), rest);
  };
  night.experiment = fmt::format("schema = 1\n[study]\nname = \"night\"\nseed = {}\n[rig]\nkind = \"{}\"\n{}", random.integer(1, 1'000'000),
                                 external ? "external" : "loopback", external ? "" : "[load]\nqueries = \"q\"\n");
  night.experiment += fmt::format("[trial]\nattempts = {}\n", random.integer(1, 3));
  night.experiment += parameter("processes", "values = [1, 2, 3]") + parameter("threads", "range = [1, 16]");
  if (strategy == "random") night.experiment += parameter("batch", "range = [1, 1000]\nscale = \"log\"\nwhen = \"processes > 1\"");
  night.experiment += fmt::format("[search]\nstrategy = \"{}\"\nrepeats = 2\n[budget]\ntrials = {}\n", strategy, random.integer(10, 90));
  if (!external)
    night.as_found = {{"server.processes", std::int64_t{1}}, {"server.threads", std::int64_t{1}}, {"server.batch", std::int64_t{1}}};
  night.world = {.noise = 0.01 + 0.05 * random.uniform(), .block_spread = 0.05, .drift = 0.03, .invalid = 0.1};
  night.world.effect = [](const Configuration& configuration) {
    const auto found = configuration.values.find("processes");
    return found != configuration.values.end() && found->second == Value(std::int64_t{2}) ? 0.15 : 0.0;
  };
  night.world.fails = [](const Configuration& configuration) {
    const auto found = configuration.values.find("threads");
    return found != configuration.values.end() && found->second == Value(std::int64_t{7});
  };
  return night;
}

StudyView uninterrupted(const Night& night) {
  strategies::Simulation simulation(night.world, strategies::fresh_study(parsed(night), resolved(night)));
  while (simulation.step()) {
  }
  return simulation.study();
}

CutNight cut_off(const Night& night, const std::filesystem::path& folder, std::uint64_t seed) {
  Random random(strategies::derive_seed(seed, 2));
  CutNight result;
  std::filesystem::create_directories(folder / "session-0");
  std::filesystem::path record = folder / "session-0" / "night.netsettle.db";
  take(begin(night, record).end_session("begun"));
  for (;;) {
    datasets::Store store = take(datasets::Store::open_writer(record));
    take(store.begin_session({}));
    result.cut_trials += take(store.interrupt_live_trials());
    CuttingRecorder recorder(store, random);
    strategies::Simulation simulation(night.world, take(tuner::load_view(store)), recorder);
    auto more = simulation.advance();
    while (more && *more) more = simulation.advance();
    ++result.sessions;
    if (more) {
      result.in_memory = simulation.study();
      result.study = take(tuner::load_view(store));
      return result;
    }
    record = crash_image(record, result.sessions);
  }
}

std::string dump(const StudyView& study) {
  const auto numbers = renumbered(study.trials);
  std::map<std::int64_t, std::string> trials;
  for (const Trial& trial : study.trials)
    if (trial.state != TrialState::interrupted) trials[numbers.at(trial.id).first] = trial_line(trial, numbers.at(trial.id));
  std::string text;
  for (const StudyConfiguration& known : study.configurations)
    text += fmt::format("configuration {} {} {}\n", known.id, known.origin, describe(known.configuration));
  for (const auto& [number, line] : trials) text += line;
  for (const Decision& decision : study.decisions) {
    auto inputs = nlohmann::json::parse(decision.inputs_json);
    renumber(inputs, numbers);
    text +=
        fmt::format("decision {} {} {} {} {} {} {} {} {} {} {} {}\n", decision.id, to_text(decision.kind),
                    decision.configuration_id.value_or(0), decision.versus.value_or(0), decision.method, decision.n.value_or(-1),
                    bits(decision.effect), bits(decision.low), bits(decision.high), bits(decision.p), bits(decision.alpha), inputs.dump());
  }
  return text;
}

}  // namespace netsettle::tests
