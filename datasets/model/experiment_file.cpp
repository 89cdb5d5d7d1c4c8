#include "datasets/model/experiment_file.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "datasets/model/experiment_checks.hpp"
#include "datasets/model/experiment_parameters.hpp"
#include "datasets/model/experiment_sections.hpp"
#include "datasets/model/placeholders.hpp"
#include "datasets/model/table_reader.hpp"
#include "datasets/model/toml_document.hpp"

namespace netsettle {
namespace {

constexpr int kSchema = 1;
constexpr std::size_t kMaxFileSize = std::size_t{1} << 20;

void apply_override(TomlTable& document, const Override& override, Diagnostics& diagnostics) {
  const TomlPosition position{.override_text = fmt::format("--set {}={}", override.key, override.value)};
  const auto done = set_path(document, override.key, parse_toml_value_or_text(override.value), position);
  if (!done) diagnostics.add(position, done.error().text);
}

/// Reads the tables of one document, in the order of the reference page.
class ExperimentReader {
 public:
  ExperimentReader(TomlTable& document, const std::filesystem::path& file, Diagnostics& diagnostics)
      : root_(document, "", {}, diagnostics), folder_(std::filesystem::absolute(file).parent_path()), diagnostics_(diagnostics) {}

  Experiment run() && {
    read_schema();
    required("study", "name", [this](TableReader& reader) { read_study(reader, experiment_.study); });
    optional("rig", [this](TableReader& reader) { read_rig(reader, folder_, experiment_.rig); });
    read_server_and_load();
    optional("trial", [this](TableReader& reader) { read_trial(reader, experiment_.rig.kind, experiment_.trial); });
    optional("objective", [this](TableReader& reader) {
      objective_position_ = reader.position();
      read_objective(reader, experiment_.rig.kind, experiment_.objective);
    });
    if (is_external()) experiment_.objective.maximize = "value";
    check_latency();
    read_all_parameters();
    check_server_settings();
    optional("search", [this](TableReader& reader) { read_search_table(reader); });
    optional("budget", [this](TableReader& reader) { read_budget_table(reader); });
    check_budget();
    read_safety_and_notify();
    check_irqbalance(placed_, experiment_.safety.irqbalance, diagnostics_);
    root_.finish();
    return std::move(experiment_);
  }

 private:
  using ReadTable = std::function<void(TableReader&)>;

  void read_schema() {
    const TomlValue* const value = root_.take("schema");
    if (value == nullptr) return diagnostics_.add({.line = 1, .column = 1}, "the file must begin with schema = 1");
    const auto schema = integer_of(*value, "schema", {1, 1'000'000}, diagnostics_);
    if (schema && *schema != kSchema)
      diagnostics_.add(value->position, fmt::format("schema {} is newer than this netsettle, which knows schema {}", *schema, kSchema));
  }

  void optional(std::string_view key, const ReadTable& read) {
    if (auto reader = root_.table(key)) read(*reader);
  }

  void required(std::string_view key, std::string_view needs, const ReadTable& read) {
    const bool is_there = root_.take(key) != nullptr;
    if (!is_there) diagnostics_.add({}, fmt::format("the table [{}] is missing (it needs the key '{}')", key, needs));
    optional(key, read);
  }

  bool is_external() const { return experiment_.rig.kind == RigKind::external; }

  void read_server_and_load() {
    if (is_external()) return refuse({"server", "load"});
    optional("server", [this](TableReader& reader) { read_server(reader, experiment_.server); });
    required("load", "queries", [this](TableReader& reader) { read_load(reader, folder_, experiment_.load); });
  }

  void read_safety_and_notify() {
    if (is_external()) return refuse({"safety", "notify"});
    optional("safety", [this](TableReader& reader) { read_safety(reader, experiment_.safety); });
    optional("notify", [this](TableReader& reader) { read_notify(reader, experiment_.notify); });
  }

  /// Tables that are the business of the program that runs the trials.
  void refuse(const std::vector<std::string_view>& tables) {
    for (const std::string_view key : tables)
      if (const auto reader = root_.table(key)) means_nothing_outside(diagnostics_, reader->position(), fmt::format("[{}]", key));
  }

  void read_all_parameters() {
    if (auto reader = root_.table("parameters")) placed_ = read_parameters(*reader, experiment_.rig.kind);
    if (placed_.empty() && diagnostics_.count() == 0) diagnostics_.add({}, "there is no [parameters.NAME] table: nothing to tune");
    std::vector<PlacedExpression> require;
    optional("constraints", [&require](TableReader& reader) { require = read_constraints(reader); });
    check_expressions(placed_, require, diagnostics_);
    check_settings_once(placed_, diagnostics_);
    check_condition_circles(placed_, diagnostics_);
    for (const PlacedParameter& placed : placed_) experiment_.parameters.push_back(placed.parameter);
    for (PlacedExpression& condition : require) experiment_.require.push_back(std::move(condition.expression));
  }

  void read_search_table(TableReader& reader) {
    read_search(reader, experiment_.search);
    experiment_.search.start = read_start(reader, placed_);
    reader.finish();
  }

  void read_budget_table(TableReader& reader) {
    budget_position_ = reader.position();
    read_budget(reader, experiment_.budget);
    if (is_external() && (experiment_.budget.until || experiment_.budget.window))
      means_nothing_outside(diagnostics_, reader.position(), "a budget by the clock ('until', 'window')");
    budget_is_tried_ = reader.take("trials") != nullptr || reader.take("until") != nullptr;
  }

  /// A program of one's own takes processes and threads only through its arguments, and the echo server's ways not at all.
  void check_server_settings() {
    if (experiment_.server.kind != ServerKind::command) return;
    for (const PlacedParameter& placed : placed_)
      for (const PlacedSetting& setting : placed.settings) {
        if (!setting.name.starts_with("server.") || setting.name == "server.cores" || setting.name == "server.placement") continue;
        const std::string word = setting.name.substr(std::string_view("server.").size());
        const bool by_argument = word == "processes" || word == "threads";
        if (by_argument && has_placeholder(experiment_.server.argv, word)) continue;
        diagnostics_.add(setting.position, by_argument ? fmt::format("{} has no effect: server.argv has no {{{}}}", setting.name, word)
                                                       : fmt::format("{} belongs to server.kind = \"echo\"", setting.name));
      }
  }

  /// At a closed loop's saturation the latency is the window over the rate: it says nothing new about the server.
  void check_latency() {
    if (experiment_.load.rate || is_external()) return;
    if (experiment_.objective.maximize.starts_with("latency_"))
      diagnostics_.add(objective_position_,
                       fmt::format("'{}' as the objective needs load.rate (an open loop): a closed loop at saturation has the "
                                   "latency of its own window",
                                   experiment_.objective.maximize));
    for (const Expression& limit : experiment_.objective.subject_to)
      for (const std::string& name : limit.names())
        if (name.starts_with("latency_"))
          diagnostics_.add(objective_position_,
                           fmt::format("'{}' in subject_to needs load.rate (an open loop): a closed loop at saturation "
                                       "has the latency of its own window",
                                       name));
  }

  /// A sweep ends by itself, and so does what a person chose.
  void check_budget() {
    const StrategyKind strategy = experiment_.search.strategy;
    if (budget_is_tried_ || strategy == StrategyKind::sweep || strategy == StrategyKind::manual) return;
    diagnostics_.add(budget_position_,
                     "[budget] needs 'trials' or 'until' (like trials = 46), unless search.strategy is \"sweep\" or \"manual\"");
  }

  TableReader root_;
  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  Experiment experiment_;
  std::vector<PlacedParameter> placed_;
  TomlPosition budget_position_, objective_position_;
  bool budget_is_tried_ = false;
};

std::string text_with_overrides(std::string_view text, const std::vector<Override>& overrides) {
  std::string result(text);
  for (const Override& override : overrides) {
    if (!result.empty() && result.back() != '\n') result += '\n';
    result += fmt::format("# --set {}={}\n", override.key, override.value);
  }
  return result;
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  if (diagnostic.line == 0) return fmt::format("{}: {}", diagnostic.file, diagnostic.message);
  return fmt::format("{}:{}:{}: {}", diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.message);
}

Expected<Override> parse_override(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(ErrorCode::invalid_input, std::string(text), "--set needs a key and a value, like --set budget.trials=40");
  if (text.find_first_of("\r\n") != std::string_view::npos)
    return fail(ErrorCode::invalid_input, std::string(text), "the value of --set must be on one line");
  return Override{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::expected<Experiment, std::vector<Diagnostic>> parse_experiment(std::string_view text, const std::filesystem::path& file,
                                                                    const std::vector<Override>& overrides) {
  Diagnostics diagnostics(file.string());
  if (text.size() > kMaxFileSize) {
    diagnostics.add({}, "the file is larger than 1 MiB: it is not an experiment file");
    return std::unexpected(std::move(diagnostics).sorted());
  }
  auto document = parse_toml(text);
  if (!document) {
    diagnostics.add(document.error().position, document.error().text);
    return std::unexpected(std::move(diagnostics).sorted());
  }
  for (const Override& override : overrides) apply_override(*document, override, diagnostics);
  Experiment experiment = ExperimentReader(*document, file, diagnostics).run();
  if (diagnostics.count() > 0) return std::unexpected(std::move(diagnostics).sorted());
  experiment.file = file.string();
  experiment.text = text_with_overrides(text, overrides);
  return experiment;
}

}  // namespace netsettle
