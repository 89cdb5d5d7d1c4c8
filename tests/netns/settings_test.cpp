// Settings of queues and NAPI for real: a veth pair with four queues in a namespace of its own, written, read back and given back. The one
// file of the whole machine (the table of flows) is a fake one.

#include <cerrno>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/carrier.hpp"
#include "runners/settings/guard.hpp"
#include "tests/support/fake_host.hpp"
#include "tests/support/network_namespace.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using namespace std::chrono_literals;

namespace {

constexpr const char* kTable = "/proc/sys/net/core/rps_sock_flow_entries";
const std::string kVeth = "/sys/class/net/nsv0/";

class Laboratory {
 public:
  Laboratory() : space_("nst-set") {
    space_.ip({"link", "add", "nsv0", "numrxqueues", "4", "numtxqueues", "4", "type", "veth", "peer", "name", "nsv1", "numrxqueues", "4",
               "numtxqueues", "4"});
    server_ = make_namespace_host(space_.name()).value();
    space_.ip({"link", "set", "nsv0", "up"});
    machine_.add_number_file(kTable, "0\n");
    GuardOptions options{.paths = paths(), .study = "settings", .database = "none", .guard_program = {}, .open_host = opener()};
    guard_ = SettingsGuard::open(options).value();
  }

  SettingContext context() {
    return {.host = &machine_, .server = server_.get(), .interface = "nsv0", .cpus = {0, 1}, .dedicated_namespace = true};
  }
  std::vector<AppliedSetting> apply(const std::map<std::string, std::string>& wanted) { return guard_->apply(context(), wanted); }
  std::string content(const std::string& file) { return server_->read_file(kVeth + file).value(); }
  std::map<std::string, std::string> contents() {
    std::map<std::string, std::string> contents = {{kTable, machine_.content(kTable)}};
    for (const char* file : {"threaded", "napi_defer_hard_irqs", "gro_flush_timeout"}) contents[file] = content(file);
    for (const char* feature : {"gro", "rx-udp-gro-forwarding"})
      contents[feature] = read_carrier(*server_, feature_carrier("nsv0", feature)).value();
    for (const char* channels : {"rx", "tx"})
      contents[std::string("channels ") + channels] = read_carrier(*server_, channel_carrier("nsv0", channels)).value();
    const auto queues = server_->list_directory(kVeth + "queues").value();
    for (const auto& queue : queues)
      for (const char* file : {"rps_cpus", "rps_flow_cnt", "xps_cpus", "xps_rxqs"})
        if (const auto text = server_->read_file(kVeth + "queues/" + queue + "/" + file)) contents[queue + "/" + file] = *text;
    return contents;
  }
  /// As an administrator has it: another value in each file of each queue.
  void set_up_queues() {
    for (int queue = 0; queue < 4; ++queue) {
      write(fmt::format("rx-{}/rps_cpus", queue), queue % 2 == 0 ? "3" : "2");
      write(fmt::format("rx-{}/rps_flow_cnt", queue), fmt::format("{}", 64 << queue));
      write(fmt::format("tx-{}/xps_cpus", queue), queue < 2 ? "1" : "2");
      write(fmt::format("tx-{}/xps_rxqs", queue), fmt::format("{:x}", 1 << (3 - queue)));
    }
  }
  void put_below_bridge() const {
    space_.ip({"link", "add", "nsvbr", "type", "bridge"});
    space_.ip({"link", "set", "nsv0", "master", "nsvbr"});
    space_.ip({"address", "add", "192.0.2.9/24", "dev", "nsvbr"});
    space_.ip({"link", "set", "nsvbr", "up"});
    space_.ip({"route", "add", "default", "via", "192.0.2.1"});
  }
  void write(const std::string& file, const std::string& text) { server_->write_file(kVeth + "queues/" + file, text).value(); }
  RestoreReport restore() { return guard_->restore(); }
  GuardPaths paths() const {
    return {.lock_file = folder_.path() / "lock", .undo_directory = folder_.path() / "undo", .lock_info = folder_.path() / "holder.json"};
  }

 private:
  HostOpener opener() {
    return [this](const std::string& netns) -> Expected<std::unique_ptr<Host>> {
      if (netns.empty()) return tests::borrow(machine_);
      return tests::borrow(*server_);
    };
  }

  tests::TemporaryFolder folder_;
  tests::NetworkNamespace space_;
  tests::FakeHost machine_;
  std::unique_ptr<Host> server_;
  std::unique_ptr<SettingsGuard> guard_;
};

void check_applied(Laboratory& laboratory, const std::string& setting, const std::string& value, const std::string& effective) {
  const auto before = laboratory.contents();
  const auto rows = laboratory.apply({{setting, value}});
  REQUIRE(rows.size() == 1);
  CAPTURE(setting, to_text(rows[0].status), rows[0].errno_value);
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(rows[0].effective == effective);
  CHECK(laboratory.contents() != before);
}

void check_given_back(Laboratory& laboratory, const std::map<std::string, std::string>& before) {
  const auto report = laboratory.restore();
  CAPTURE(to_json(report));
  CHECK(report.complete());
  CHECK(laboratory.contents() == before);
  CHECK(!journal_is_open(laboratory.paths()));
}

}  // namespace

TEST_CASE("packet steering of four real queues, by number and by list") {
  Laboratory laboratory;
  const auto before = laboratory.contents();
  check_applied(laboratory, "queues.rps.count", "2", "2");
  for (int queue = 0; queue < 4; ++queue) CHECK(laboratory.content(fmt::format("queues/rx-{}/rps_cpus", queue)) == "3\n");
  laboratory.apply({});
  CHECK(laboratory.contents() == before);
  laboratory.restore();
  Laboratory other;
  check_applied(other, "queues.rps.mask", "1", "1");
  CHECK(other.content("queues/rx-3/rps_cpus") == "2\n");
  check_given_back(other, before);
}

TEST_CASE("transmit queues of a real device are dealt out to CPUs") {
  Laboratory laboratory;
  const auto before = laboratory.contents();
  check_applied(laboratory, "queues.xps.count", "2", "2");
  CHECK(laboratory.content("queues/tx-0/xps_cpus") == "1\n");
  CHECK(laboratory.content("queues/tx-1/xps_cpus") == "2\n");
  CHECK(laboratory.content("queues/tx-2/xps_cpus") == "0\n");
  check_applied(laboratory, "queues.xps.count", "1", "1");
  check_given_back(laboratory, before);
}

TEST_CASE("real flow tables of queues are rounded up by the kernel, and are no clamped value") {
  Laboratory laboratory;
  const auto before = laboratory.contents();
  const auto rows = laboratory.apply({{"queues.rfs.entries", "12000"}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(laboratory.content("queues/rx-0/rps_flow_cnt") == "4096\n");  // 16384 / 4
  check_given_back(laboratory, before);
}

TEST_CASE("interrupts of a real device are put off, and NAPI, which GRO gives to a veth, gets its threads") {
  Laboratory laboratory;
  const auto before = laboratory.contents();
  const auto rows = laboratory.apply(
      {{"napi.defer_hard_irqs", "10"}, {"napi.gro_flush_timeout", "20000"}, {"napi.threaded", "1"}, {"nic.features.gro", "1"}});
  REQUIRE(rows.size() == 4);
  for (const auto& row : rows) {
    CAPTURE(row.setting, row.errno_value);
    CHECK(row.status == SettingStatus::ok);
    CHECK(row.effective == row.requested);
    CHECK(row.before == "0");
  }
  CHECK(laboratory.content("gro_flush_timeout") == "20000\n");
  CHECK(laboratory.content("threaded") == "1\n");
  check_given_back(laboratory, before);
}

TEST_CASE("a real device's features are switched and given back, its fixed ones are unsupported") {
  Laboratory laboratory;
  const auto before = laboratory.contents();
  check_applied(laboratory, "nic.features.rx-udp-gro-forwarding", "1", "1");
  check_given_back(laboratory, before);
  CHECK(resolve_setting(laboratory.context(), "nic.features.rxhash").error().code == ErrorCode::unsupported);
  CHECK(resolve_setting(laboratory.context(), "nic.coalesce.rx-usecs").error().code == ErrorCode::unsupported);
}

TEST_CASE("threads of NAPI without any NAPI are refused with the kernel's reason") {
  Laboratory laboratory;
  const auto rows = laboratory.apply({{"napi.threaded", "1"}});
  CHECK(rows[0].status == SettingStatus::refused);
  CHECK(rows[0].errno_value == EOPNOTSUPP);
}

TEST_CASE("what a real device refuses is recorded with the kernel's reason, and nothing is left behind") {
  Laboratory laboratory;
  const auto before = laboratory.contents();
  auto rows = laboratory.apply({{"queues.rps.mask", "0-300"}});
  CHECK(rows[0].status == SettingStatus::eoverflow);
  rows = laboratory.apply({{"queues.rps.count", "3"}});
  CHECK(rows[0].status == SettingStatus::einval);
  rows = laboratory.apply({{"interrupts.count", "1"}});
  CHECK(rows[0].status == SettingStatus::refused);
  check_given_back(laboratory, before);
}

TEST_CASE("real channels are changed, and with them come back the masks of all queues, byte for byte") {
  Laboratory laboratory;
  laboratory.set_up_queues();
  const auto before = laboratory.contents();
  auto rows = laboratory.apply({{"nic.channels.rx", "2"}, {"nic.channels.tx", "1"}, {"queues.rps.count", "1"}});
  REQUIRE(rows.size() == 3);
  for (const auto& row : rows) {
    CAPTURE(row.setting, to_text(row.status), row.errno_value);
    CHECK(row.status == SettingStatus::ok);
    CHECK(row.effective == row.requested);
  }
  CHECK(rows[0].before == "4");
  CHECK(rows[2].files.size() == 2);  // the queues that there are now
  const auto changed = laboratory.contents();
  CHECK(changed.at("channels rx") == "2");
  CHECK(changed.at("rx-1/rps_cpus") == "1\n");
  CHECK(changed.at("rx-1/rps_flow_cnt") == before.at("rx-1/rps_flow_cnt"));
  CHECK_FALSE(changed.contains("rx-2/rps_cpus"));
  CHECK_FALSE(changed.contains("tx-1/xps_cpus"));
  rows = laboratory.apply({{"nic.channels.rx", "3"}});
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(laboratory.content("queues/rx-1/rps_cpus") == "2\n");
  CHECK(laboratory.content("queues/rx-2/rps_cpus") == "3\n");  // a queue that came again has what it had
  CHECK(laboratory.content("queues/tx-3/xps_cpus") == "2\n");
  laboratory.apply({});
  CHECK(laboratory.contents() == before);
  laboratory.apply({{"nic.channels.rx", "1"}, {"nic.channels.tx", "2"}, {"queues.xps.count", "2"}});
  check_given_back(laboratory, before);
}

TEST_CASE("real channels have the bounds that the device tells, and kinds that it has") {
  Laboratory laboratory;
  CHECK(resolve_setting(laboratory.context(), "nic.channels.rx").value().largest == 4);
  CHECK(resolve_setting(laboratory.context(), "nic.channels.combined").error().code == ErrorCode::unsupported);
  for (const char* lacking : {"nic.ring.rx", "nic.rss.count", "nic.rss.udp4"})
    CHECK(resolve_setting(laboratory.context(), lacking).error().errno_value == EOPNOTSUPP);
  const auto rows = laboratory.apply({{"nic.channels.rx", "5"}});
  CHECK(rows[0].status == SettingStatus::einval);
}

TEST_CASE("a real interface below a bridge with the default route keeps its link, and channels where that is allowed") {
  Laboratory laboratory;
  laboratory.put_below_bridge();
  auto context = laboratory.context();
  CHECK(resolve_setting(context, "nic.channels.rx"));  // a namespace of the study's own
  context.dedicated_namespace = false;
  const auto refused = resolve_setting(context, "nic.channels.rx");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text ==
        "resets the link of nsv0, which nsvbr stands on, and that carries a default route: only with [safety] allow_link_reset = true");
  context.link_resets = link_resets("198.51.100.7 52044 192.0.2.9 22", false);
  CHECK(resolve_setting(context, "nic.channels.rx").error().text.find("carries your login from 198.51.100.7") != std::string::npos);
  context.link_resets.allowed = true;
  CHECK(resolve_setting(context, "nic.channels.rx"));
}

TEST_CASE("what somebody else does to a queue while its channels are changed is left alone and named") {
  Laboratory laboratory;
  laboratory.set_up_queues();
  laboratory.apply({{"nic.channels.rx", "2"}});
  laboratory.write("rx-0/rps_cpus", "1");
  const auto report = laboratory.restore();
  CHECK_FALSE(report.complete());
  CHECK(laboratory.content("queues/rx-0/rps_cpus") == "1\n");
  CHECK(laboratory.content("queues/rx-3/rps_cpus") == "2\n");
  const auto conflicts = std::ranges::count(report.items, RestoreItem::Status::conflict, &RestoreItem::status);
  CHECK(conflicts == 1);
}

TEST_CASE("somebody else's steering is reported and left alone") {
  Laboratory laboratory;
  auto rows = laboratory.apply({{"queues.rps.count", "2"}});
  auto context = laboratory.context();
  REQUIRE(context.server->write_file(kVeth + "queues/rx-1/rps_cpus", "1"));
  const auto report = laboratory.restore();
  CHECK_FALSE(report.complete());
  CHECK(laboratory.content("queues/rx-1/rps_cpus") == "1\n");
  CHECK(laboratory.content("queues/rx-0/rps_cpus") == "0\n");
}
