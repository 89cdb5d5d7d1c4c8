#include "runners/trial/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "datasets/model/setting_name.hpp"
#include "runners/probes/counters.hpp"
#include "runners/probes/process_use.hpp"
#include "runners/probes/udp_sockets.hpp"
#include "runners/servers/dns_query.hpp"
#include "runners/servers/server_memory.hpp"
#include "runners/settings/file_entry.hpp"
#include "runners/trial/load_group.hpp"
#include "runners/trial/trial_parts.hpp"

namespace netsettle::runners {
namespace {

constexpr auto kServerStopTimeout = std::chrono::seconds(5);
constexpr auto kQueryTimeout = std::chrono::milliseconds(200);
constexpr auto kPollPause = std::chrono::milliseconds(20);

constexpr const char* kByStart = "command line";  // the target of settings that act by how server and load are started

/// Everything that the guard manages.
std::map<std::string, std::string> machine_settings(const std::map<std::string, std::string>& settings) {
  std::map<std::string, std::string> found;
  for (const auto& [name, value] : settings)
    if (!acts_by_start(name)) found[name] = value;
  return found;
}

bool was_applied(const AppliedSetting& row) {
  return row.status == SettingStatus::ok || row.status == SettingStatus::same || row.status == SettingStatus::clamped;
}

/// Mbit/s of a card; virtual interfaces name a speed that binds nobody.
std::optional<double> link_speed(Host& host, const std::string& interface) {
  const std::string folder = "/sys/class/net/" + interface;
  if (!host.list_directory(folder + "/device")) return std::nullopt;
  const auto text = host.read_file(folder + "/speed");
  const double mbps = text ? std::strtod(text->c_str(), nullptr) : 0;
  return mbps > 0 ? std::optional(mbps) : std::nullopt;
}

std::string folder_of(const std::string& file) { return (std::filesystem::current_path() / file).lexically_normal().parent_path(); }

bool port_is_taken(Host& host, int port) {
  for (const char* file : {"/proc/net/udp", "/proc/net/udp6"}) {
    const auto text = host.read_file(file);
    const auto sockets = text ? parse_udp_sockets(*text) : Expected<std::vector<UdpSocket>>();
    if (sockets && std::ranges::find(*sockets, port, &UdpSocket::local_port) != sockets->end()) return true;
  }
  return false;
}

/// One trial under way. Each step returns false when the trial is over; the evidence then says why.
class Run {
 public:
  Run(const TrialSetup& setup, const TrialRequest& request, const StopFlag& stop, const std::function<void(TrialState)>& on_state)
      : setup_(setup),
        request_(request),
        stop_(stop),
        on_state_(on_state),
        loads_(setup.load, setup.rig.client(), setup.guard),
        context_(setup.context) {}

  TrialEvidence finish() {
    describe_request();
    on_state_(TrialState::applying);
    if (place_parts() && apply_settings() && start_server() && await_server() && check_memory()) {
      settle();
      measure();
    }
    stop_server();
    read_back();
    if (stop_ != 0) fail_with(TrialFailure::interrupted, "interrupted by a signal");
    return std::move(evidence_);
  }

 private:
  void fail_with(TrialFailure failure, std::string detail) {
    if (evidence_.failure != TrialFailure::none && failure != TrialFailure::interrupted) return;
    evidence_.failure = failure;
    evidence_.failure_detail = std::move(detail);
  }

  bool broken() const { return evidence_.failure != TrialFailure::none; }

  void describe_request() {
    const auto seconds = [](Microseconds duration) { return std::chrono::duration<double>(duration).count(); };
    evidence_.warmup_s = seconds(setup_.experiment.trial.warmup);
    evidence_.measure_s = seconds(setup_.experiment.trial.measure);
    evidence_.shared_counters = setup_.rig.shared_counters();
    evidence_.one_machine = setup_.rig.one_machine();
  }

  bool apply_settings() {
    const auto wanted = machine_settings(request_.settings);
    evidence_.applied = setup_.guard.apply(context_, wanted);
    add_untouched_settings(wanted);
    for (const auto& row : evidence_.applied) {
      if (was_applied(row)) continue;
      // What somebody else has changed is not overwritten, and it is not the configuration's fault.
      if (row.status == SettingStatus::drifted)
        evidence_.drifted.push_back(fmt::format("{} was changed to {} before the trial", row.setting, row.effective));
      else
        fail_with(TrialFailure::setting_refused, fmt::format("{} = {}: {}", row.setting, row.requested, to_text(row.status)));
      return false;
    }
    return true;
  }

  /// Managed settings that this configuration leaves as they were found are part of the record too.
  void add_untouched_settings(const std::map<std::string, std::string>& wanted) {
    for (const auto& name : setup_.managed) {
      if (wanted.contains(name)) continue;
      const auto setting = resolve_setting(context_, name);
      AppliedSetting row{.setting = name, .requested = "as-found"};
      if (setting) {
        row.target = setting->files.empty() ? "" : setting->files.front().path;
        row.before = row.effective = to_text(setting->as_found);
        row.status = SettingStatus::same;
      } else {
        row.status = SettingStatus::absent;
      }
      evidence_.applied.push_back(std::move(row));
    }
  }

  bool place_parts() {
    auto parts = parts_of(setup_, request_);
    if (!parts && parts.error().subject == kMemoryPolicy) return refuse_memory(parts.error());
    if (!parts && parts.error().subject.starts_with("load.")) return load_failed(to_text(parts.error()));
    if (!parts) return refuse_server(to_text(parts.error()));
    parts_ = std::move(*parts);
    context_.server_cpus = parts_.used_cpus;
    describe_load();
    return true;
  }

  bool start_server() {
    record_own_settings();
    const ServerTarget target{.address = setup_.rig.server_address(),
                              .cpus = parts_.server_cpus,
                              .echo_program = setup_.echo_program,
                              .folder = folder_of(setup_.experiment.file)};
    const auto argv = setup_.server.command_line(parts_.server, target);
    if (!argv) return refuse_server(to_text(argv.error()));
    evidence_.artifacts.push_back({"server.argv", fmt::format("{}\n", fmt::join(*argv, " "))});
    // Another program's answers would pass for the server's.
    if (port_is_taken(setup_.rig.server(), parts_.server.port))
      return refuse_server(fmt::format("UDP port {} is taken by another program", parts_.server.port));
    // Its workers may pin themselves; the thread that waits for them stays on the same CPUs.
    auto process = setup_.rig.server().start({.argv = *argv, .cpus = used_cpus(), .memory = parts_.memory, .input = {}, .environment = {}});
    if (!process)
      return process.error().subject == kMemoryPolicy ? refuse_memory(process.error()) : refuse_server(to_text(process.error()));
    server_ = std::move(*process);
    if (const auto watched = setup_.guard.watch_child(server_->watched_pid()); !watched) return refuse_server(to_text(watched.error()));
    return true;
  }

  void describe_load() {
    evidence_.load_timeout_s = std::chrono::duration<double>(parts_.load.timeout).count();
    evidence_.load_window = static_cast<std::int64_t>(parts_.load.outstanding) * parts_.load.instances;
    evidence_.load_rate = parts_.load.rate;
    evidence_.load_cpus = static_cast<int>(parts_.load_cpus.size());
    evidence_.server_cpus = static_cast<int>(parts_.server_cpus.size());
    evidence_.link_mbps = link_speed(setup_.rig.server(), setup_.rig.interface());
  }

  bool refuse_server(std::string detail) {
    fail_with(TrialFailure::server_start_failed, std::move(detail));
    return false;
  }

  AppliedSetting& memory_row() {
    const auto row = std::ranges::find(evidence_.applied, kMemoryPolicy, &AppliedSetting::setting);
    if (row != evidence_.applied.end()) return *row;
    const std::string in_file = setup_.experiment.server.memory;
    const auto asked = request_.settings.find(kMemoryPolicy);
    const std::string requested = asked == request_.settings.end() ? in_file : asked->second;
    return evidence_.applied.emplace_back(AppliedSetting{
        .setting = kMemoryPolicy, .target = kByStart, .requested = requested, .before = in_file, .status = SettingStatus::ok});
  }

  bool refuse_memory(const Error& error) {
    AppliedSetting& row = memory_row();
    row.status = status_of(error);
    row.errno_value = error.errno_value;
    row.effective.clear();
    row.at_end.clear();
    fail_with(TrialFailure::setting_refused, fmt::format("{} (asked for: {})", to_text(error), row.requested));
    return false;
  }

  /// Whether the running server has the policy it was given: it may have set one of its own.
  bool check_memory() {
    if (parts_.memory.mode == MemoryPolicy::Mode::inherited) return true;
    const auto found = read_memory_policy(setup_.rig.server(), server_->pid());
    if (!found) return refuse_memory(found.error());
    AppliedSetting& row = memory_row();
    row.effective = row.at_end = *found;
    if (*found == to_text(parts_.memory)) return true;
    row.status = SettingStatus::refused;
    fail_with(TrialFailure::setting_refused, fmt::format("{} = {}: the server was given {} and has {} (/proc/{}/numa_maps)", row.setting,
                                                         row.requested, to_text(parts_.memory), *found, server_->pid()));
    return false;
  }

  /// These act by the command line, and memory.policy by the server's start.
  void record_own_settings() {
    const AsFoundValues in_file = values_of(setup_.experiment.server, setup_.experiment.load);
    for (const auto& [name, value] : request_.settings) {
      if (!acts_by_start(name)) continue;
      const auto before = in_file.find(name);
      evidence_.applied.push_back({.setting = name,
                                   .target = kByStart,
                                   .requested = value,
                                   .before = before == in_file.end() ? "" : to_text(before->second),
                                   .effective = value,
                                   .at_end = value,
                                   .status = SettingStatus::ok});
    }
  }

  /// A real query until it is answered, acceptably and not truncated. A name server listens before its zones are loaded and says SERVFAIL
  /// until then, so that answer is waited out.
  bool await_server() {
    Clock& clock = setup_.host.clock();
    const auto deadline = clock.monotonic() + setup_.experiment.server.ready_timeout;
    while (stop_ == 0) {
      if (const auto status = server_->wait(Microseconds(0)))
        return refuse_server(fmt::format("the server ended with {}: {}", to_text(*status), first_words(server_->standard_error())));
      const bool late = clock.monotonic() >= deadline;
      if (const auto answer = ask_once(); answer && (late || answer->rcode != "SERVFAIL")) return accept(*answer);
      if (late)
        return refuse_server(fmt::format("no answer from {} port {} within {}", setup_.rig.server_address(), parts_.server.port,
                                         format_duration_us(setup_.experiment.server.ready_timeout.count())));
      clock.sleep(kPollPause, &stop_);
    }
    return false;
  }

  std::optional<AnswerHeader> ask_once() {
    constexpr std::uint16_t kQueryId = 0x4e53;
    const auto query = encode_query(kQueryId, setup_.query_name, setup_.query_type);
    if (!query) return std::nullopt;
    auto answer = setup_.rig.client().exchange_datagram(setup_.rig.server_address(), parts_.server.port, *query, kQueryTimeout);
    if (!answer && answer.error().code == ErrorCode::unsupported)
      answer = setup_.rig.server().exchange_datagram(setup_.rig.server_address(), parts_.server.port, *query, kQueryTimeout);
    if (!answer) return std::nullopt;
    const auto header = decode_header(*answer);
    return header && header->response && header->id == kQueryId ? std::optional(*header) : std::nullopt;
  }

  /// Preflight: fast REFUSED is not throughput.
  bool accept(const AnswerHeader& header) {
    const auto& accepted = setup_.experiment.load.accept;
    if (header.truncated || std::ranges::find(accepted, header.rcode) == accepted.end()) {
      fail_with(TrialFailure::wrong_rcode,
                fmt::format("the server answers {} {} with {}{}; load.accept has {}", setup_.query_name, setup_.query_type, header.rcode,
                            header.truncated ? " (truncated)" : "", fmt::join(accepted, ", ")));
      return false;
    }
    return true;
  }

  void settle() { setup_.host.clock().sleep(setup_.experiment.trial.settle, &stop_); }

  void measure() {
    if (stop_ != 0) return;
    Host& server = setup_.rig.server();
    find_queue_irqs();
    const Snapshot before = take_snapshot(places());
    const auto use_before = read_process_use(server, server_->pid(), server_cpus());
    const auto sockets_before = read_socket_buffers(server, parts_.server.port);
    Clock& clock = setup_.host.clock();
    const auto offset = clock.utc() - clock.monotonic();
    const bool started = run_load();
    const auto moved = clock.utc() - clock.monotonic() - offset;
    evidence_.clock_step_s = std::chrono::duration<double>(moved).count();
    const Snapshot after = take_snapshot(places());
    if (!started) return;
    const auto use_after = read_process_use(server, server_->pid(), server_cpus());
    if (use_before && use_after) evidence_.server_use = use_between(*use_before, *use_after);
    note_sockets(sockets_before, read_socket_buffers(server, parts_.server.port));
    evidence_.counters = difference(before, after, setup_.experiment.load.family, setup_.topology.online, parts_.server.port);
    keep_texts(before, "before");
    keep_texts(after, "after");
  }

  void note_sockets(const Expected<std::vector<SocketBuffers>>& before, const Expected<std::vector<SocketBuffers>>& after) {
    if (!before || !after) return;
    // Sockets that share a port are listed in one order while none is closed.
    const bool same = before->size() == after->size();
    for (std::size_t i = 0; i < after->size(); ++i) {
      const SocketBuffers& socket = (*after)[i];
      evidence_.sockets.push_back({socket.local, socket.receive, socket.send, socket.drops - (same ? (*before)[i].drops : 0)});
    }
  }

  /// After the settings: other channels have other interrupts. A virtual interface has none.
  void find_queue_irqs() {
    const auto nic = read_nic(setup_.rig.server(), setup_.rig.interface());
    if (!nic) return;
    for (const QueueIrq& queue : nic->irqs.queues) queue_irqs_.push_back(queue.irq);
  }

  Places places() {
    const bool one_link = setup_.rig.shared_counters();
    return {.host = setup_.host,
            .server = setup_.rig.server(),
            .client = setup_.rig.client(),
            .server_interface = setup_.rig.interface(),
            .client_interface = one_link ? "" : setup_.rig.client_interface(),
            .queue_irqs = queue_irqs_};
  }

  CpuSet used_cpus() const { return {parts_.used_cpus.begin(), parts_.used_cpus.end()}; }
  CpuSet server_cpus() const { return {parts_.server_cpus.begin(), parts_.server_cpus.end()}; }

  void keep_texts(const Snapshot& snapshot, std::string_view when) {
    for (const auto& [kind, text] : snapshot.texts) evidence_.artifacts.push_back({fmt::format("{}.{}", kind, when), text});
  }

  double load_seconds() const { return evidence_.warmup_s + evidence_.measure_s + kMarginIntervals * kSeriesInterval; }

  bool run_load() {
    LoadTarget target{.address = setup_.rig.server_address(),
                      .port = parts_.server.port,
                      .first_source_port = request_.first_source_port,
                      .seconds = load_seconds(),
                      .interval_s = kSeriesInterval,
                      .program_version = setup_.load_version};
    if (!parts_.load.tsig_key_file.empty()) {
      const auto key = setup_.host.read_file(parts_.load.tsig_key_file);
      if (!key) return load_failed("load.tsig_key_file: " + to_text(key.error()));
      target.tsig_key = key->substr(0, key->find_first_of("\r\n"));
    }
    if (!parts_.load.queries.empty()) {
      auto queries = setup_.rig.on_client(parts_.load.queries);
      if (!queries) return load_failed("load.queries: " + to_text(queries.error()));
      parts_.load.queries = std::move(*queries);
    }
    const auto started = loads_.start(parts_.load, target, parts_.load_cpus);
    if (!started) {
      loads_.interrupt(Microseconds(0));
      return load_failed(to_text(started.error()));
    }
    follow_load();
    return true;
  }

  bool load_failed(std::string detail) {
    fail_with(TrialFailure::load_failed, std::move(detail));
    return false;
  }

  /// Waits for the load's own end; a server that ends before it has crashed.
  void follow_load() {
    Clock& clock = setup_.host.clock();
    const auto begin = clock.monotonic();
    const auto measuring_from = begin + setup_.experiment.trial.warmup;
    const auto deadline =
        begin + std::chrono::duration_cast<Microseconds>(std::chrono::duration<double>(load_seconds() + 2 * evidence_.load_timeout_s + 10));
    on_state_(TrialState::warmup);
    bool measuring = false, ended = false;
    while (!ended && stop_ == 0 && clock.monotonic() < deadline) {
      ended = loads_.wait(std::chrono::milliseconds(100), &stop_);
      if (!measuring && clock.monotonic() >= measuring_from) {
        measuring = true;
        on_state_(TrialState::measuring);
        note_strays();
      }
      if (!ended && server_->wait(Microseconds(0))) {
        fail_with(TrialFailure::server_crashed, fmt::format("the server ended under load: {}", first_words(server_->standard_error())));
        break;
      }
    }
    // SIGINT makes dnsperf print what it has; SIGTERM would lose everything.
    const auto patience = std::chrono::duration_cast<Microseconds>(std::chrono::duration<double>(evidence_.load_timeout_s + 2));
    if (!ended) loads_.interrupt(stop_ != 0 ? Microseconds(500'000) : patience);
    evidence_.load_s = std::chrono::duration<double>(clock.monotonic() - begin).count();
    report_load();
  }

  /// In the middle of the load: whether its tasks are where they were put.
  void note_strays() {
    if (setup_.load.pins_itself()) return;
    for (const auto& task : loads_.tasks()) {
      const auto use = read_process_use(setup_.rig.client(), task.pid, task.cpus);
      if (use) std::ranges::copy(use->strays, std::back_inserter(load_strays_));
    }
  }

  void report_load() {
    evidence_.load = loads_.report();
    if (const auto cpu_seconds = loads_.cpu_seconds())
      evidence_.load_use =
          ProcessUse{.cpu_seconds = *cpu_seconds, .tasks = static_cast<int>(loads_.tasks().size()), .strays = load_strays_};
    if (broken() || stop_ != 0) return;
    if (auto failure = loads_.failure()) fail_with(TrialFailure::load_failed, std::move(*failure));
  }

  void stop_server() {
    std::ranges::move(loads_.artifacts(), std::back_inserter(evidence_.artifacts));
    if (!server_) return;
    (void)server_->signal(SIGTERM);
    if (!server_->wait(kServerStopTimeout)) {
      (void)server_->signal(SIGKILL);
      (void)server_->wait(kServerStopTimeout);
    }
    const std::string output = server_->standard_output(), errors = server_->standard_error();
    evidence_.artifacts.push_back({"server.stdout", output});
    if (!errors.empty()) evidence_.artifacts.push_back({"server.stderr", errors});
    evidence_.server = setup_.server.parse(output);
    server_.reset();
  }

  void read_back() {
    std::vector<AppliedSetting> machine, others;
    for (auto& row : evidence_.applied)
      (row.target == kByStart || row.status == SettingStatus::absent ? others : machine).push_back(std::move(row));
    setup_.guard.read_back(context_, machine);
    for (const auto& row : machine)
      if (row.status == SettingStatus::drifted)
        evidence_.drifted.push_back(row.setting.starts_with("interrupts.") && row.effective == row.at_end
                                        ? fmt::format("{} is {}, but interrupts came on other CPUs", row.setting, row.effective)
                                        : fmt::format("{} was {} and is {}", row.setting, row.effective, row.at_end));
    if (const auto kept = setup_.guard.check_irqbalance(); !kept) evidence_.drifted.push_back(to_text(kept.error()));
    std::ranges::move(others, std::back_inserter(machine));
    evidence_.applied = std::move(machine);
  }

  const TrialSetup& setup_;
  const TrialRequest& request_;
  const StopFlag& stop_;
  const std::function<void(TrialState)>& on_state_;
  TrialEvidence evidence_;
  std::unique_ptr<Process> server_;
  LoadGroup loads_;
  std::vector<std::string> load_strays_;
  TrialParts parts_;
  SettingContext context_;  // with the CPUs that this trial's server uses
  std::vector<int> queue_irqs_;
};

}  // namespace

TrialEvidence run_trial(const TrialSetup& setup, const TrialRequest& request, const StopFlag& stop,
                        const std::function<void(TrialState)>& on_state) {
  return Run(setup, request, stop, on_state).finish();
}

}  // namespace netsettle::runners
