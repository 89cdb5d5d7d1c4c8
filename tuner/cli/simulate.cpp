#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>

#include "datasets/model/nearest.hpp"
#include "runners/hosts/signal_watcher.hpp"
#include "strategies/worlds/recorded_machine.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/cli/simulate_report.hpp"
#include "tuner/cli/simulate_runs.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

constexpr int kMostTrials = 5000;  // of a study
constexpr int kMostStudies = 1'000'000;
constexpr int kMostJobs = 256;

CommandLine simulate_command_line() {
  CommandLine line(
      "simulate --world NAME[,NAME]...|all | --from RECORD  [--strategy NAME[,NAME]...] [--studies N] [--budgets N[,N]...]\n"
      "                 [--seed N] [--jobs N] [--json] | --list",
      "Whole studies on simulated machines whose best configuration is known, or on a machine made of a record: how good is what\n"
      "a strategy hands over, and how often is a claim wrong. Nothing is measured or changed. Regret is how far the true mean of the\n"
      "configuration handed over is below the best one, in percent; `wrong` counts claims of an improvement that is none, `unstable`\n"
      "configurations that lose 5 % of their rate or more to slow trials, `covered` printed intervals that hold the truth. Study i\n"
      "has seed --seed + i on every machine, with every strategy and budget, so rows can be compared in pairs.\n"
      "Exit 0: done; 130, 143: ctrl-C or a signal, and what was complete is printed.",
      "netsettle simulate --world usl4,irq9 --strategy random,bayesian --budgets 100,200 --studies 20\n"
      "  netsettle simulate --from night.netsettle.db --budgets 100 --jobs 2");
  line.add()("world", options::value<std::string>(), "names of machines, or all; --list shows them")(
      "from", options::value<std::string>(), "a record; the machine is what it shows")(
      "strategy", options::value<std::string>()->default_value("auto"), "names as in search.strategy, separated by commas")(
      "studies", options::value<std::string>()->default_value("20"), "of each machine, strategy and budget")(
      "budgets", options::value<std::string>()->default_value("50,100,200,400"), "trials of a study, separated by commas")(
      "seed", options::value<std::string>()->default_value("500"), "of the first study")(
      "jobs", options::value<std::string>()->default_value("1"), "threads")("json", "as JSON, with every study")("list", "the machines");
  return line;
}

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const auto comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

Expected<std::uint64_t> number_of(const std::string& option, std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most)
    return fail(ErrorCode::invalid_input, option, fmt::format("'{}' is not a whole number from {} to {}", text, least, most));
  return number;
}

Expected<int> count_of(const CommandLine& line, const char* option, int least, int most) {
  NETSETTLE_ASSIGN(const std::uint64_t number, number_of(fmt::format("--{}", option), line.text(option), static_cast<std::uint64_t>(least),
                                                         static_cast<std::uint64_t>(most)));
  return static_cast<int>(number);
}

Expected<std::vector<strategies::TestMachine>> machines_of(const CommandLine& line) {
  if (line.has("from") == line.has("world"))
    return fail(ErrorCode::invalid_input, "simulate", "name machines with --world (--list shows them), or a record with --from, not both");
  std::vector<strategies::TestMachine> machines;
  if (line.has("from")) {
    NETSETTLE_ASSIGN(const Record record, open_record_file(line.text("from")));
    NETSETTLE_ASSIGN(strategies::TestMachine machine, strategies::recorded_machine(record.view));
    machines.push_back(std::move(machine));
    return machines;
  }
  const std::vector<std::string> known = strategies::test_machine_names();
  for (const std::string& name : line.text("world") == "all" ? known : comma_separated(line.text("world"))) {
    auto machine = strategies::test_machine(name);
    if (!machine)
      return fail(ErrorCode::invalid_input, "--world",
                  fmt::format("there is no machine '{}'{} (--list shows them)", name, did_you_mean(name, known)));
    machines.push_back(*std::move(machine));
  }
  return machines;
}

Expected<std::vector<StrategyKind>> strategies_of(const CommandLine& line) {
  std::vector<StrategyKind> chosen;
  std::vector<std::string> known;
  std::vector<StrategyKind> kinds;
  for (const StrategyKind kind : {StrategyKind::automatic, StrategyKind::sweep, StrategyKind::random, StrategyKind::one_at_a_time,
                                  StrategyKind::screening, StrategyKind::local, StrategyKind::cma_es, StrategyKind::bayesian}) {
    kinds.push_back(kind);
    known.emplace_back(to_text(kind));
  }
  for (const std::string& name : comma_separated(line.text("strategy"))) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      return fail(ErrorCode::invalid_input, "--strategy",
                  fmt::format("there is no strategy '{}'{} (there are {})", name, did_you_mean(name, known), fmt::join(known, ", ")));
    chosen.push_back(kinds[static_cast<std::size_t>(found - known.begin())]);
  }
  return chosen;
}

Expected<std::vector<int>> budgets_of(const CommandLine& line) {
  std::vector<int> budgets;
  for (const std::string& text : comma_separated(line.text("budgets"))) {
    NETSETTLE_ASSIGN(const std::uint64_t budget, number_of("--budgets", text, 1, kMostTrials));
    budgets.push_back(static_cast<int>(budget));
  }
  return budgets;
}

Expected<SimulationPlan> plan_of(const CommandLine& line) {
  SimulationPlan plan;
  {
    NETSETTLE_ASSIGN(plan.machines, machines_of(line));
  }
  {
    NETSETTLE_ASSIGN(plan.strategies, strategies_of(line));
  }
  {
    NETSETTLE_ASSIGN(plan.budgets, budgets_of(line));
  }
  {
    NETSETTLE_ASSIGN(plan.studies, count_of(line, "studies", 1, kMostStudies));
  }
  {
    NETSETTLE_ASSIGN(plan.first_seed, number_of("--seed", line.text("seed"), 0, std::uint64_t{1} << 62));
  }
  {
    NETSETTLE_ASSIGN(plan.jobs, count_of(line, "jobs", 1, kMostJobs));
  }
  return plan;
}

/// On standard error: one line that is overwritten, or, where that is no terminal, one for each row that is complete.
class ProgressLine {
 public:
  explicit ProgressLine(const SimulationPlan& plan) : plan_(&plan), terminal_(::isatty(STDERR_FILENO) == 1) {
    if (terminal_) write(fmt::format("\rsimulate: {} machines", plan.machines.size()));
  }

  void show(const SimulationProgress& progress) {
    const bool row_is_complete = std::ssize(progress.at->runs) == plan_->studies;
    if (!terminal_ && !row_is_complete) return;
    constexpr std::size_t kColumns = 100;
    const std::string text = fmt::format("simulate: {}{} of {} studies, {}{} {} with {} trials", terminal_ ? bar(progress.share) : "",
                                         progress.done, progress.all, time_left(progress.share), progress.at->machine->name,
                                         to_text(progress.at->strategy), progress.at->budget);
    write(terminal_ ? fmt::format("\r\033[K{}", cut(text, kColumns)) : text + "\n");
  }

  void clear() {
    if (terminal_) write("\r\033[K");
  }

 private:
  static std::string bar(double share) {
    constexpr int kWidth = 16;
    const auto full = static_cast<std::size_t>(share * kWidth);
    return fmt::format("[{}{}] ", std::string(full, '#'), std::string(kWidth - full, '.'));
  }

  std::string time_left(double share) const {
    if (share <= 0 || share >= 1) return "";
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start_;
    const auto left = static_cast<std::int64_t>(spent.count() * (1 - share) / share);
    constexpr std::int64_t kSecondUs = 1'000'000;
    return fmt::format("{} left, ", format_duration_us(std::max(left / kSecondUs, std::int64_t{1}) * kSecondUs));
  }

  static void write(const std::string& text) {
    fmt::print(stderr, "{}", text);
    std::fflush(stderr);
  }

  const SimulationPlan* plan_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int list_machines(const CommandLine& line) {
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const std::string& name : strategies::test_machine_names()) {
    const auto machine = strategies::test_machine(name).value();
    if (line.has("json"))
      document.push_back({{"world", name}, {"parameters", machine.space.domains().size()}, {"about", machine.about}});
    else
      fmt::print("{:10}  {:2} parameters: {}\n", name, machine.space.domains().size(), machine.about);
  }
  if (line.has("json")) fmt::print("{}\n", document.dump(2));
  return kDone;
}

/// Where something else ran than the name says: a line for each reason, with its machines.
void print_choices(std::span<const SimulatedCell> cells) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const SimulatedCell& cell : cells) {
    if (cell.choice.starts_with(to_text(cell.strategy)) || cell.runs.empty()) continue;
    const std::string reason = fmt::format("{} with {} trials: {}", to_text(cell.strategy), cell.budget, cell.choice);
    auto known = std::ranges::find(reasons, reason, [](const auto& entry) { return entry.first; });
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {reason, {}});
    known->second.push_back(cell.machine->name);
  }
  if (!reasons.empty()) fmt::print("\n");
  for (const auto& [reason, machines] : reasons) fmt::print("{} ({})\n", reason, fmt::join(machines, ", "));
}

}  // namespace

int run_simulate(const Arguments& arguments) {
  CommandLine line = simulate_command_line();
  if (const auto exit = line.parse(arguments)) return *exit;
  if (line.has("list")) return list_machines(line);
  const auto plan = plan_of(line);
  if (!plan) return print_error(plan.error());
  runners::StopFlag stop = 0, after_trial = 0;
  const runners::SignalWatcher watcher(stop, after_trial, runners::SignalWatcher::Hangup::stops);
  ProgressLine progress(*plan);
  const auto cells = run_simulations(*plan, stop, [&](const SimulationProgress& done) { progress.show(done); });
  progress.clear();
  if (line.has("json")) {
    fmt::print("{}", simulation_json(*plan, cells, stop != 0 ? Completeness::interrupted : Completeness::whole));
  } else {
    constexpr int kLogWidth = 160;
    const int width = terminal_width();
    fmt::print("{}", simulation_tables(*plan, cells, static_cast<std::size_t>(width > 0 ? width : kLogWidth)));
    print_choices(cells);
  }
  if (stop == 0) return kDone;
  fmt::print(stderr, "Interrupted: what was complete is shown.\n");
  return 128 + stop;
}

}  // namespace netsettle::tuner
