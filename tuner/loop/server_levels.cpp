#include "tuner/loop/server_levels.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/servers/server_memory.hpp"

namespace netsettle::tuner {
namespace {

class ServerFitter {
 public:
  ServerFitter(const Parameter& parameter, const Experiment& experiment, const Machine& machine, const Facts& facts)
      : experiment_(experiment), machine_(machine), facts_(facts), fit_{parameter, {}, {}} {}

  std::expected<ServerFit, Errors> run() && {
    if (sets("server.placement"))
      fit_words("server.placement", experiment_.server.placement, [this](const auto& word) { return cpus_of(word); });
    if (sets("server.cores")) fit_cores();
    if (sets("memory.policy")) fit_memory();
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(fit_);
  }

 private:
  bool sets(const std::string& setting) const { return std::ranges::find(fit_.parameter.sets, setting) != fit_.parameter.sets.end(); }

  void add_problem(Error problem, const std::string& what, std::string_view hint) {
    problem.text += fmt::format(" ({} of the parameter {}{})", what, fit_.parameter.name, hint);
    problems_.push_back(std::move(problem));
  }

  // ---- words -----------------------------------------------------------------------------------

  Expected<std::vector<CpuId>> server_cpus(const std::string& word) const {
    ServerSection server = experiment_.server;
    server.placement = word;
    const bool is_elsewhere = machine_.client_topology.has_value();
    return runners::place_server(machine_.topology, server, is_elsewhere ? CpuSet() : machine_.placement.load, machine_.interface);
  }

  Expected<std::string> cpus_of(const std::string& word) const {
    NETSETTLE_ASSIGN(const auto cpus, server_cpus(word));
    return fmt::format("CPUs {}", fmt::join(cpus, ","));
  }

  Expected<std::string> memory_of(const std::string& word) const {
    NETSETTLE_ASSIGN(const auto policy, runners::memory_policy(machine_.topology, word, machine_.placement.server));
    return runners::to_text(policy);
  }

  /// `meaning`: what a level comes to here. Two levels that come to the same are one.
  template <typename Meaning>
  void fit_words(const std::string& setting, const std::string& in_file, Meaning meaning) {
    Parameter& parameter = fit_.parameter;
    std::map<std::string, std::string> seen;  // meaning → the level that has it
    if (const auto found = meaning(in_file)) seen[*found] = in_file;
    std::vector<Value> levels;
    for (const Value& level : parameter.values) {
      const std::string word = to_text(level);
      const auto found = meaning(word);
      if (!found && parameter.optional && !is_a_start(level))
        fit_.narrowed.push_back(fmt::format("{} is left out: {}", word, to_text(found.error())));
      else if (!found)
        add_problem(found.error(), fmt::format("the value {}", word), "; optional = true leaves it out");
      else if (const auto [same, is_new] = seen.emplace(*found, word); is_new || same->second == word || !may_drop() || is_a_start(level))
        levels.push_back(level);
      else
        fit_.narrowed.push_back(fmt::format("{} is left out: it is the same as {} here ({})", word, same->second, *found));
    }
    const bool differs = std::ranges::any_of(levels, [&](const Value& level) { return to_text(level) != in_file; });
    if (!differs && may_drop())
      fit_.dropped = fmt::format("{} cannot matter here: its values come to the same as \"{}\" (keep = true keeps it)", setting, in_file);
    parameter.values = std::move(levels);
  }

  bool is_a_start(const Value& level) const {
    return std::ranges::any_of(experiment_.search.start, [&](const Configuration& start) {
      const auto value = start.values.find(fit_.parameter.name);
      return value != start.values.end() && value->second == level;
    });
  }

  /// A parameter that changes other settings too has levels that differ by those.
  bool may_drop() const { return !fit_.parameter.keep && fit_.parameter.sets.size() == 1 && fit_.parameter.with.empty(); }

  void fit_memory() {
    const auto reason = runners::why_memory_is_inert(machine_.topology);
    if (reason && may_drop())
      fit_.dropped = fmt::format("memory.policy cannot matter here: {} (keep = true keeps it)", *reason);
    else
      fit_words("memory.policy", experiment_.server.memory, [this](const auto& word) { return memory_of(word); });
  }

  // ---- numbers ---------------------------------------------------------------------------------

  /// The most CPUs that the server gets by the file's placement, or by that of another parameter.
  std::size_t most_cpus() const {
    std::size_t most = machine_.placement.server.size();
    for (const Parameter& other : experiment_.parameters) {
      if (std::ranges::find(other.sets, "server.placement") == other.sets.end()) continue;
      for (const Value& level : other.values)
        if (const auto cpus = server_cpus(to_text(level))) most = std::max(most, cpus->size());
    }
    return most;
  }

  void fit_cores() {
    const std::size_t most = most_cpus();
    const std::string reason = fmt::format("the server has at most {} CPUs here ({})", most, placement_text());
    for (const Value& level : fit_.parameter.values)
      if (const auto* number = std::get_if<std::int64_t>(&level); number != nullptr && *number > static_cast<std::int64_t>(most))
        add_problem({ErrorCode::invalid_input, "server.cores", reason, 0}, fmt::format("the value {}", to_text(level)), "");
    std::optional<Expression>& high = fit_.parameter.high;
    const auto end = high ? value_of(*high) : std::nullopt;
    const auto low = fit_.parameter.low ? value_of(*fit_.parameter.low) : std::nullopt;
    if (!end || *end <= static_cast<double>(most)) return;
    if (high->names().empty() || (low && *low > static_cast<double>(most)))
      return add_problem({ErrorCode::invalid_input, "server.cores", fmt::format("{}, not {}", reason, high->text()), 0}, "the range", "");
    high = Expression::number(static_cast<double>(most));
    fit_.narrowed.push_back(fmt::format("the range ends at {}: {}", most, reason));
  }

  std::string placement_text() const {
    const auto& cpus = machine_.placement.server;
    std::string text = fmt::format("{}", to_cpu_list(CpuSet(cpus.begin(), cpus.end())));
    if (!machine_.placement.load.empty() && !machine_.client_topology)
      text += fmt::format("; the load has {}", to_cpu_list(machine_.placement.load));
    if (!machine_.topology.reserved.empty()) text += fmt::format("; netsettle keeps {}", to_cpu_list(machine_.topology.reserved));
    return text;
  }

  std::optional<double> value_of(const Expression& expression) const {
    const auto number = expression.evaluate_number([this](std::string_view name) -> std::optional<ExpressionValue> {
      const auto fact = facts_.find(std::string(name));
      return fact == facts_.end() ? std::nullopt : std::optional<ExpressionValue>(fact->second);
    });
    return number ? std::optional(*number) : std::nullopt;  // what is wrong with it, the search space says
  }

  const Experiment& experiment_;
  const Machine& machine_;
  const Facts& facts_;
  ServerFit fit_;
  Errors problems_;
};

}  // namespace

std::expected<ServerFit, Errors> fit_server(const Parameter& parameter, const Experiment& experiment, const Machine& machine,
                                            const Facts& facts) {
  return ServerFitter(parameter, experiment, machine, facts).run();
}

}  // namespace netsettle::tuner
