#include "datasets/model/experiment_sections.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/cpu_place.hpp"
#include "datasets/model/metric.hpp"
#include "datasets/model/nearest.hpp"
#include "datasets/model/parameter_values.hpp"
#include "datasets/model/setting_form.hpp"

namespace netsettle {
namespace {

using Words = std::vector<std::string>;

constexpr std::int64_t kMillisecondUs = 1000;

/// The name becomes a file name (NAME.netsettle.db) and part of a bundle's.
bool is_study_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && name.front() != '-' && name.front() != '.' && std::ranges::all_of(name, allowed);
}

/// "all" or a number of CPUs.
void read_cores(TableReader& reader, std::string& cores) {
  const TomlValue* const value = reader.take("cores");
  if (value == nullptr) return;
  if (const auto* text = std::get_if<std::string>(&value->data)) {
    if (*text == "all")
      cores = *text;
    else
      reader.diagnostics().add(value->position, fmt::format("'cores' is \"all\" or a number of CPUs (like cores = 2), not \"{}\"", *text));
  } else if (const auto number = integer_of(*value, "cores", {1, 65536}, reader.diagnostics())) {
    cores = fmt::format("{}", *number);
  }
}

/// Where the server's memory comes from.
void read_memory(TableReader& reader, std::string& memory) {
  const TomlValue* const value = reader.take("memory");
  if (value == nullptr) return;
  const auto* text = text_of(*value, "memory", "memory = \"local\"", reader.diagnostics());
  if (text == nullptr) return;
  if (std::ranges::find(memory_words(), *text) != memory_words().end() || node_in_word(*text))
    memory = *text;
  else
    reader.diagnostics().add(value->position, fmt::format("'memory' cannot be \"{}\"{}; supported are \"{}\" and a node like \"node:1\"",
                                                          *text, did_you_mean(*text, memory_words()), fmt::join(memory_words(), "\", \"")));
}

/// "4MiB", or 0 for the kernel's default.
void read_buffer(TableReader& reader, std::string_view key, std::int64_t& bytes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  TomlValue* const value = reader.take(key);
  if (value == nullptr) return;
  const auto size = value_of(*value, key, ParameterType::bytes, reader.diagnostics());
  if (!size) return;
  const auto number = number_of(*size);
  if (number && *number >= 0 && *number <= static_cast<double>(kMost))
    bytes = static_cast<std::int64_t>(*number);
  else
    reader.diagnostics().add(value->position,
                             fmt::format("'{}' is a size up to 1GiB (like {} = \"4MiB\"); 0 is the kernel's default", key, key));
}

/// "1%" or 0.01.
void read_min_effect(TableReader& reader, double& min_effect) {
  constexpr std::string_view kMeaning = "'min_effect' is a share from 0 to below 1 (like min_effect = \"1%\" or 0.01)";
  const TomlValue* const value = reader.take("min_effect");
  if (value == nullptr) return;
  double share = std::numeric_limits<double>::quiet_NaN();
  if (const auto* text = std::get_if<std::string>(&value->data)) {
    const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), share);
    share = status == std::errc() && std::string_view(end, text->data() + text->size()) == "%" ? share / 100
                                                                                               : std::numeric_limits<double>::quiet_NaN();
  } else if (const auto* real = std::get_if<double>(&value->data)) {
    share = *real;
  } else if (const auto* whole = std::get_if<std::int64_t>(&value->data)) {
    share = static_cast<double>(*whole);
  }
  if (share >= 0 && share < 1)
    min_effect = share;
  else
    reader.diagnostics().add(value->position, std::string(kMeaning));
}

Words metric_names() {
  Words names;
  for (const Metric& metric : metrics()) names.emplace_back(metric.name);
  return names;
}

/// Of rig.kind = "external": there is one objective, and it is told.
void read_told_objective(TableReader& reader, std::string& maximize) {
  maximize = "value";
  const TomlValue* const value = reader.take("maximize");
  if (value == nullptr) return;
  const auto* name = text_of(*value, "maximize", "maximize = \"value\"", reader.diagnostics());
  if (name != nullptr && *name != maximize)
    reader.diagnostics().add(value->position,
                             "with rig.kind = \"external\" the objective is the value that is told: maximize = \"value\" (what should be "
                             "small is told as 1 / x)");
}

void read_maximize(TableReader& reader, std::string& maximize) {
  const TomlValue* const value = reader.take("maximize");
  if (value == nullptr) return;
  const auto* name = text_of(*value, "maximize", "maximize = \"qps\"", reader.diagnostics());
  if (name == nullptr) return;
  const Metric* const metric = find_metric(*name);
  const std::string_view kCan =
      "supported are \"qps\", \"qps_per_cpu_second\" and, with load.rate, \"latency_avg_us\" and \"latency_max_us\"";
  if (metric != nullptr && (metric->better == Better::higher || name->starts_with("latency_")))
    maximize = *name;
  else if (metric == nullptr && *name == "pps")
    reader.diagnostics().add(value->position, fmt::format("maximize = \"pps\" is not supported yet; {}", kCan));
  else if (metric == nullptr)
    reader.diagnostics().add(value->position, fmt::format("unknown metric '{}'{}; {}", *name, did_you_mean(*name, metric_names()), kCan));
  else
    reader.diagnostics().add(value->position, fmt::format("more of '{}' is not better, so it cannot be maximized; {}", *name, kCan));
}

bool read_digits(std::string_view text, int high) {
  int number = -1;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return text.size() == 2 && status == std::errc() && end == text.data() + 2 && number >= 0 && number <= high;
}

bool is_clock_time(std::string_view text) {
  return text.size() == 5 && text[2] == ':' && read_digits(text.substr(0, 2), 23) && read_digits(text.substr(3), 59);
}

bool is_window(std::string_view text) {
  return text.size() == 11 && text[5] == '-' && is_clock_time(text.substr(0, 5)) && is_clock_time(text.substr(6)) &&
         text.substr(0, 5) != text.substr(6);
}

Choices<std::string> words_as_they_are(const Words& words) {
  Choices<std::string> choices;
  for (const std::string& word : words) choices.known.emplace_back(word, word);
  return choices;
}

using IsValid = bool (*)(std::string_view);

void read_time(TableReader& reader, std::string_view key, IsValid is_valid, std::string_view example,
               std::optional<std::string>& destination) {
  const TomlValue* const value = reader.take(key);
  if (value == nullptr) return;
  const std::string assignment = fmt::format("{} = \"{}\"", key, example);
  const auto* text = text_of(*value, key, assignment, reader.diagnostics());
  if (text == nullptr) return;
  if (is_valid(*text))
    destination = *text;
  else
    reader.diagnostics().add(value->position, fmt::format("'{}' cannot be \"{}\": hours and minutes, like {}", key, *text, assignment));
}

/// Metrics are numbers, and a condition must come out true or false.
void check_condition(const TomlValue& value, const Expression& condition, MetricNames names, Diagnostics& diagnostics) {
  bool all_known = true;
  for (const std::string& name : condition.names()) {
    if (names == MetricNames::any || find_metric(name) != nullptr) continue;
    all_known = false;
    diagnostics.add(value.position,
                    fmt::format("unknown metric '{}' in \"{}\"{}", name, condition.text(), did_you_mean(name, metric_names())));
  }
  if (!all_known) return;
  const auto kind = condition.kind([](std::string_view) { return ExpressionKind::number; });
  if (!kind)
    diagnostics.add(value.position, fmt::format("in the expression \"{}\": {}", condition.text(), kind.error().text));
  else if (*kind != ExpressionKind::boolean)
    diagnostics.add(value.position, fmt::format("\"{}\" must be a comparison, like \"lost_percent <= 0.1\"", condition.text()));
}

/// Interface and address of one machine under test.
void read_place(TableReader& reader, RigMachine& machine, bool needs_all) {
  constexpr std::string_view kInterface = "interface = \"eth1\"", kAddress = "test_address = \"198.18.0.1\"";
  if (needs_all) reader.require("interface", kInterface);
  if (needs_all) reader.require("test_address", kAddress);
  reader.text("interface", machine.interface);
  reader.text("test_address", machine.test_address);
  const auto plain = [](const std::string& text, std::string_view more) {
    return std::ranges::all_of(
        text, [&](unsigned char c) { return std::isalnum(c) != 0 || more.find(static_cast<char>(c)) != std::string_view::npos; });
  };
  constexpr std::size_t kLongestInterface = 15;
  if (!plain(machine.interface, "-_.:@") || machine.interface.size() > kLongestInterface || machine.interface.starts_with('.'))
    reader.diagnostics().add(reader.position(),
                             fmt::format("'{}' is not the name of an interface (like {})", machine.interface, kInterface));
  if (!plain(machine.test_address, ".:%-_"))
    reader.diagnostics().add(reader.position(), fmt::format("'{}' is no numeric address (like {})", machine.test_address, kAddress));
}

void belongs_to_hosts(TableReader& reader, const TomlPosition& position, std::string_view key) {
  reader.diagnostics().add(position, fmt::format("[rig.{}] belongs to rig.kind = \"hosts\"", key));
}

void read_rig_server(TableReader& reader, RigSection& rig) {
  auto server = reader.table("server");
  if (!server) {
    if (rig.kind == RigKind::hosts)
      reader.diagnostics().add(reader.position(), "rig.kind = \"hosts\" needs the table [rig.server] with interface and test_address");
    return;
  }
  if (rig.kind != RigKind::hosts) belongs_to_hosts(reader, server->position(), "server");
  server->only("host", "local", {"ssh:user@name"});
  read_place(*server, rig.server, true);
  server->finish();
}

/// [[rig.client]]: one, for now.
void read_rig_client(TableReader& reader, const std::filesystem::path& folder, RigSection& rig) {
  constexpr std::string_view kExample = "[[rig.client]]";
  TomlValue* const value = reader.take("client");
  if (value == nullptr) {
    if (rig.kind == RigKind::hosts)
      reader.diagnostics().add(reader.position(), "rig.kind = \"hosts\" needs one [[rig.client]] with host = \"ssh:user@name\"");
    return;
  }
  if (rig.kind != RigKind::hosts) return belongs_to_hosts(reader, value->position, "client");
  auto* const list = std::get_if<TomlArray>(&value->data);
  if (list == nullptr || list->size() != 1 || std::get_if<TomlTable>(&list->front().data) == nullptr)
    return reader.diagnostics().add(value->position, fmt::format("exactly one {} is supported", kExample));
  TableReader client(std::get<TomlTable>(list->front().data), "rig.client", list->front().position, reader.diagnostics());
  client.require("host", "host = \"ssh:root@client1\"");
  client.text("host", rig.client.host);
  if (!rig.client.host.starts_with("ssh:") || rig.client.host.size() == 4 || rig.client.host[4] == '-')
    client.diagnostics().add(
        client.position(),
        fmt::format("the client's host is \"ssh:\" and what ssh takes (like ssh:root@client1), not \"{}\"", rig.client.host));
  client.text("ssh_config", rig.client.ssh_config);
  if (!rig.client.ssh_config.empty()) rig.client.ssh_config = (folder / rig.client.ssh_config).lexically_normal();
  read_place(client, rig.client, false);
  client.finish();
}

/// ready = { udp = true, timeout = "5s" }: how long the server may take until a query is answered.
void read_ready(TableReader& reader, ServerSection& server) {
  auto ready = reader.table("ready");
  if (!ready) return;
  bool udp = true;
  ready->boolean("udp", udp);
  if (!udp) ready->diagnostics().add(ready->position(), "'ready' knows udp = true only: a real query that is answered");
  ready->duration("timeout", kMillisecondUs, server.ready_timeout);
  ready->finish();
}

void read_program(TableReader& reader, ServerSection& server) {
  constexpr std::string_view kExample = "argv = [\"named\", \"-g\", \"-c\", \"{dir}/named.conf\"]";
  read_ready(reader, server);
  const TomlValue* const argv = reader.take("argv");
  if (argv != nullptr) server.argv = texts_of(*argv, "argv", reader.diagnostics());
  if (server.kind == ServerKind::command && server.argv.empty())
    reader.diagnostics().add(reader.position(), fmt::format("server.kind = \"command\" needs 'argv' (like {})", kExample));
  if (server.kind == ServerKind::echo && argv != nullptr)
    reader.diagnostics().add(argv->position, "'argv' belongs to server.kind = \"command\"");
}

}  // namespace

void read_study(TableReader& reader, StudySection& study) {
  if (const TomlValue* value = reader.require("name", "name = \"quick\"")) {
    const auto* name = text_of(*value, "name", "name = \"quick\"", reader.diagnostics());
    if (name != nullptr && !is_study_name(*name))
      reader.diagnostics().add(value->position,
                               "'name' becomes a file name: 1 to 64 letters, digits, '-', '_' and '.', not starting with '-' or '.'");
    else if (name != nullptr)
      study.name = *name;
  }
  if (const TomlValue* value = reader.take("seed")) {
    const auto seed = integer_of(*value, "seed", {0, std::numeric_limits<std::int64_t>::max()}, reader.diagnostics());
    if (seed) study.seed = static_cast<std::uint64_t>(*seed);
  }
  reader.only("baseline", "as-found", {"kernel-defaults"});
  reader.finish();
}

void read_rig(TableReader& reader, const std::filesystem::path& folder, RigSection& rig) {
  const Choices<RigKind> kinds{.known = {{"namespaces", RigKind::namespaces},
                                         {"loopback", RigKind::loopback},
                                         {"hosts", RigKind::hosts},
                                         {"external", RigKind::external}},
                               .later = {}};
  reader.choice("kind", kinds, rig.kind);
  read_words_or_cpus(reader, "reserved_cpus", {"auto", "none"}, rig.reserved_cpus);
  read_rig_server(reader, rig);
  read_rig_client(reader, folder, rig);
  reader.finish();
}

void read_server(TableReader& reader, ServerSection& server) {
  const Choices<ServerKind> kinds{.known = {{"echo", ServerKind::echo}, {"command", ServerKind::command}}, .later = {}};
  reader.choice("kind", kinds, server.kind);
  reader.integer("port", {1, 65535}, server.port);
  reader.choice("io_model", words_as_they_are(io_model_words()), server.io_model);
  reader.integer("processes", {1, 1024}, server.processes);
  reader.integer("threads", {1, 1024}, server.threads);
  read_cores(reader, server.cores);
  read_words_or_cpus(reader, "placement", placement_words(), server.placement);
  read_memory(reader, server.memory);
  reader.choice("sockets", words_as_they_are(socket_words()), server.sockets);
  reader.integer("batch", {1, 1024}, server.batch);
  read_buffer(reader, "receive_buffer", server.receive_buffer);
  read_buffer(reader, "send_buffer", server.send_buffer);
  const TomlValue* const busy_poll = reader.take("busy_poll");
  reader.duration("busy_poll", 0, server.busy_poll);
  if (server.busy_poll > std::chrono::seconds(1))
    reader.diagnostics().add(busy_poll->position, "'busy_poll' is at most 1 s (like busy_poll = \"50us\")");
  read_program(reader, server);
  reader.not_yet("netns", "the server runs in the rig's own namespace");
  reader.finish();
}

void read_trial(TableReader& reader, RigKind rig, TrialSection& trial) {
  if (rig == RigKind::external)
    for (const std::string_view key : {"warmup", "measure", "settle"})
      if (const TomlValue* value = reader.take(key)) means_nothing_outside(reader.diagnostics(), value->position, fmt::format("'{}'", key));
  reader.duration("warmup", 0, trial.warmup);
  const TomlValue* const measure = reader.take("measure");
  const auto* text = measure == nullptr ? nullptr : std::get_if<std::string>(&measure->data);
  if (text != nullptr && *text == "auto")
    reader.diagnostics().add(measure->position, "measure = \"auto\" is not supported yet; give a duration (like measure = \"30s\")");
  else
    reader.duration("measure", 100 * kMillisecondUs, trial.measure);
  reader.duration("settle", 0, trial.settle);
  reader.integer("attempts", {1, 10}, trial.attempts);
  reader.finish();
}

void read_objective(TableReader& reader, RigKind rig, ObjectiveSection& objective) {
  const bool told = rig == RigKind::external;
  if (told)
    read_told_objective(reader, objective.maximize);
  else
    read_maximize(reader, objective.maximize);
  objective.subject_to = read_metric_conditions(reader, "subject_to", told ? MetricNames::any : MetricNames::documented);
  reader.only("stable", "auto", {"none"});
  read_min_effect(reader, objective.min_effect);
  reader.finish();
}

void read_search(TableReader& reader, SearchSection& search) {
  const Choices<StrategyKind> strategies{
      .known = {{"auto", StrategyKind::automatic},
                {"sweep", StrategyKind::sweep},
                {"random", StrategyKind::random},
                {"one-at-a-time", StrategyKind::one_at_a_time},
                {"screening", StrategyKind::screening},
                {"local", StrategyKind::local},
                {"cma-es", StrategyKind::cma_es},
                {"bayesian", StrategyKind::bayesian},
                {"manual", StrategyKind::manual}},
      .later = {}};
  reader.choice("strategy", strategies, search.strategy);
  reader.integer("repeats", {1, 10'000}, search.repeats);
}

void read_budget(TableReader& reader, BudgetSection& budget) {
  if (const TomlValue* value = reader.take("trials")) {
    const auto trials = integer_of(*value, "trials", {1, 1'000'000}, reader.diagnostics());
    if (trials) budget.trials = static_cast<int>(*trials);
  }
  read_time(reader, "until", is_clock_time, "06:30", budget.until);
  read_time(reader, "window", is_window, "22:00-06:30", budget.window);
  reader.finish();
}

void read_safety(TableReader& reader, SafetySection& safety) {
  safety.abort_if = read_metric_conditions(reader, "abort_if", MetricNames::documented);
  const Choices<IrqbalancePolicy> policies{.known = {{"ignore", IrqbalancePolicy::ignore},
                                                     {"ban", IrqbalancePolicy::ban},
                                                     {"stop", IrqbalancePolicy::stop},
                                                     {"require-off", IrqbalancePolicy::require_off}},
                                           .later = {}};
  reader.choice("irqbalance", policies, safety.irqbalance);
  reader.boolean("allow_link_reset", safety.allow_link_reset);
  reader.finish();
}

void read_notify(TableReader& reader, NotifySection& notify) {
  reader.texts("command", notify.command);
  reader.finish();
}

void means_nothing_outside(Diagnostics& diagnostics, const TomlPosition& position, std::string_view what) {
  diagnostics.add(position, fmt::format("{} means nothing with rig.kind = \"external\": another program runs the trials", what));
}

std::vector<Expression> read_metric_conditions(TableReader& reader, std::string_view key, MetricNames names) {
  std::vector<Expression> conditions;
  const std::string example = fmt::format("{} = [\"lost_percent <= 0.1\"]", key);
  for (const TomlValue& item : reader.list(key, "a list of conditions", example)) {
    const auto* text = text_of(item, fmt::format("an item of '{}'", key), example, reader.diagnostics());
    if (text == nullptr) continue;
    auto condition = expression_of(item, *text, reader.diagnostics());
    if (!condition) continue;
    check_condition(item, *condition, names, reader.diagnostics());
    conditions.push_back(*std::move(condition));
  }
  return conditions;
}

}  // namespace netsettle
