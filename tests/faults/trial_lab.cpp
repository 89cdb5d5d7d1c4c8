#include "tests/faults/trial_lab.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

#include <algorithm>

#include "runners/servers/echo_server_command.hpp"

namespace netsettle::tests {
namespace {

using namespace runners;

/// Reports like the echo server, which it stands in for.
class FaultyServer final : public Server {
 public:
  explicit FaultyServer(std::vector<std::string> faults) : faults_(std::move(faults)) {}
  Expected<std::vector<std::string>> command_line(const ServerSection& server, const ServerTarget& target) const override {
    std::vector<std::string> argv = {NETSETTLE_FAULTY_SERVER, "--address", target.address, "--port", std::to_string(server.port)};
    argv.insert(argv.end(), faults_.begin(), faults_.end());
    return argv;
  }
  std::optional<ServerReport> parse(std::string_view output) const override { return EchoServerCommand().parse(output); }

 private:
  std::vector<std::string> faults_;
};

Experiment short_trial(RigKind kind) {
  Experiment experiment;
  experiment.study.name = "faults";
  experiment.rig.kind = kind;
  experiment.server.port = 5399;
  experiment.load.queries = std::string(NETSETTLE_SOURCE_DIR) + "/datasets/queries/mixed-1k.txt";
  experiment.load.outstanding = 100;
  experiment.load.timeout = std::chrono::milliseconds(300);
  experiment.trial.warmup = std::chrono::milliseconds(400);
  experiment.trial.measure = std::chrono::milliseconds(1600);
  experiment.trial.settle = std::chrono::milliseconds(50);
  experiment.objective.subject_to = {Expression::parse("lost_percent <= 0.5").value()};
  return experiment;
}

}  // namespace

bool TrialOutcome::has(std::string_view code) const {
  return std::ranges::find(judgement.verdict.reasons, code, &Reason::code) != judgement.verdict.reasons.end();
}

std::string TrialOutcome::detail(std::string_view code) const {
  const auto reason = std::ranges::find(judgement.verdict.reasons, code, &Reason::code);
  return reason == judgement.verdict.reasons.end() ? std::string() : reason->detail;
}

std::int64_t TrialOutcome::lost_at(std::string_view place) const {
  const auto ledger = strategies::loss_ledger(evidence);
  const auto row = std::ranges::find(ledger, place, &strategies::LedgerRow::place);
  return row == ledger.end() ? 0 : row->queries;
}

std::string TrialOutcome::text() const {
  std::string text = std::string(to_text(judgement.verdict.outcome)) + (judgement.verdict.suspect ? ", suspect\n" : "\n");
  for (const Reason& reason : judgement.verdict.reasons) text += reason.code + ": " + reason.detail + "\n";
  for (const auto& [name, value] : judgement.measurements) text += name + " " + std::to_string(value) + "\n";
  for (const auto& row : strategies::loss_ledger(evidence))
    if (row.queries != 0) text += row.place + " " + std::to_string(row.queries) + "\n";
  if (evidence.load)
    for (const Interval& interval : evidence.load->intervals)
      text += std::to_string(interval.time_s) + " " + std::to_string(interval.qps) + "\n";
  return text;
}

TrialLab::TrialLab(RigKind kind) : experiment(short_trial(kind)) {
  const GuardPaths paths{.lock_file = folder_.file("lock"), .undo_directory = folder_.file("undo"), .lock_info = folder_.file("lock.json")};
  auto guard = SettingsGuard::open({.paths = paths, .study = "faults", .database = "none", .guard_program = ""});
  REQUIRE(guard.has_value());
  guard_ = std::move(*guard);
  if (kind == RigKind::namespaces) {
    auto rig = make_namespaces_rig(*host_, *guard_, "faults" + std::to_string(getpid()), AddressFamily::ipv4);
    REQUIRE(rig.has_value());
    rig_ = std::move(*rig);
  } else {
    rig_ = make_loopback_rig(*host_, AddressFamily::ipv4);
  }
  auto topology = read_topology(*host_);
  REQUIRE(topology.has_value());
  topology_ = std::move(*topology);
}

TrialLab::~TrialLab() {
  rig_.reset();
  (void)guard_->restore();
}

void TrialLab::must_run(Host& side, const std::vector<std::string>& argv) {
  const auto ended = run_checked(side, argv);
  INFO((ended ? std::string() : to_text(ended.error())));
  REQUIRE(ended.has_value());
}

TrialOutcome TrialLab::run() {
  const SettingContext context{
      .host = host_.get(), .server = &rig_->server(), .interface = rig_->interface(), .cpus = {0}, .dedicated_namespace = true};
  const std::unique_ptr<Server> server = faults.empty() ? make_server(ServerKind::echo) : std::make_unique<FaultyServer>(faults);
  auto load = make_load(experiment.load.kind);
  REQUIRE(load.has_value());
  Host& host = trial_host ? *trial_host : *host_;
  const TrialSetup setup{experiment,
                         host,
                         *rig_,
                         *guard_,
                         context,
                         managed,
                         topology_,
                         *server,
                         other_load ? *other_load : **load,
                         std::string(NETSETTLE_BIN_DIR) + "/netsettle-echo",
                         "example.com",
                         "A",
                         "2.10.0"};
  bool interfered = false;
  TrialOutcome outcome;
  outcome.evidence = run_trial(setup, {settings, 20'000}, stop, [&](TrialState state) {
    if (state != TrialState::measuring || interfered || !while_measuring) return;
    interfered = true;
    while_measuring();
  });
  outcome.judgement = strategies::judge(experiment, outcome.evidence);
  return outcome;
}

}  // namespace netsettle::tests
