// Channels, rings, the indirection table and hash fields of a card of four queues, which forgets what is said of its queues at each reset.

#include <cerrno>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/settings/carrier.hpp"
#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;

namespace {

std::string queue_file(const std::string& file) { return "/sys/class/net/nic0/queues/" + file; }

struct Card {
  Card() {
    machine.add_card();
    for (int queue = 0; queue < 4; ++queue) {
      machine.server.set_content(queue_file(fmt::format("rx-{}/rps_cpus", queue)), fmt::format("{:x}\n", 1 << (3 - queue)));
      machine.server.set_content(queue_file(fmt::format("tx-{}/xps_cpus", queue)), "3\n");
      machine.host.set_content(Machine::affinity_path(41 + queue), fmt::format("{}\n", queue));
    }
    before = machine.contents();
  }
  std::unique_ptr<SettingsGuard> open() { return SettingsGuard::open(machine.guard_options()).value(); }
  std::string value(const std::string& carrier) { return read_carrier(machine.server, carrier).value(); }
  Expected<ResolvedSetting> resolve(const std::string& name) { return resolve_setting(machine.card_context(), name); }

  Machine machine;
  std::map<std::string, std::string> before;
};

const AppliedSetting& row_of(const std::vector<AppliedSetting>& rows, const std::string& name) {
  const auto row = std::ranges::find(rows, name, &AppliedSetting::setting);
  REQUIRE(row != rows.end());
  return *row;
}

/// A run that can give nothing back any more: its journal stays.
void die_with(Card& card, const std::map<std::string, std::string>& wanted) {
  auto guard = card.open();
  for (const auto& row : guard->apply(card.machine.card_context(), wanted)) REQUIRE(row.status == SettingStatus::ok);
  card.machine.log->fail_from(1, EIO);
  REQUIRE_FALSE(guard->restore().complete());
  card.machine.log->stop_failing();
}

}  // namespace

TEST_CASE("channels and rings are bounded by what the card tells, kinds that it lacks are unsupported") {
  Card card;
  const auto channels = card.resolve("nic.channels.combined").value();
  CHECK(channels.as_found == Value(std::int64_t{4}));
  CHECK(channels.smallest == 1);
  CHECK(channels.largest == 8);
  CHECK(channels.bound_by == "what ethtool says of nic0");
  CHECK(card.resolve("nic.ring.rx").value().largest == 4096);
  CHECK(card.resolve("nic.channels.rx").error().code == ErrorCode::unsupported);
  CHECK(texts_for(card.machine.card_context(), channels, "9").error().text == "takes at most 8 here (what ethtool says of nic0), not 9");
}

TEST_CASE("the indirection table is set by a number of queues, hash fields by their letters, and both are given back") {
  Card card;
  const auto guard = card.open();
  CHECK(card.resolve("nic.rss.count").value().as_found == Value(std::int64_t{4}));
  CHECK(card.resolve("nic.rss.count").value().largest == 4);
  CHECK(texts_for(card.machine.card_context(), card.resolve("nic.rss.udp4").value(), "sf").error().code == ErrorCode::invalid_input);
  const auto rows = guard->apply(card.machine.card_context(), {{"nic.rss.count", "2"}, {"nic.rss.udp4", "sdfn"}, {"nic.rss.udp6", "sd"}});
  for (const auto& row : rows) {
    CAPTURE(row.setting);
    CHECK(row.status == SettingStatus::ok);
    CHECK(row.effective == row.requested);
  }
  CHECK(row_of(rows, "nic.rss.udp4").before == "sd");
  CHECK(card.machine.card->table() == std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(guard->restore().complete());
  CHECK(card.machine.contents() == card.before);
}

TEST_CASE("a table of blocks comes back by its weights, and one that no words make is named as not given back") {
  Card card;
  card.machine.card->set_table({0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 3, 3, 3, 3, 3, 3});
  card.before = card.machine.contents();
  auto guard = card.open();
  CHECK(card.resolve("nic.rss.count").value().as_found == Value(std::string("weight 7 3 0 6")));
  guard->apply(card.machine.card_context(), {{"nic.rss.count", "4"}});
  CHECK(guard->restore().complete());
  CHECK(card.machine.contents() == card.before);

  Card odd;
  odd.machine.card->set_table({3, 0, 1, 2, 3, 0, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1});
  guard = odd.open();
  guard->apply(odd.machine.card_context(), {{"nic.rss.count", "2"}});
  const auto report = guard->restore();
  REQUIRE(report.items.size() == 1);
  CHECK(report.items[0].status == RestoreItem::Status::failed);
  CHECK(report.items[0].detail.find("ethtool cannot make a table like this one") != std::string::npos);
}

TEST_CASE("fewer channels take queues away, and all that was said of them comes back with them") {
  Card card;
  const auto guard = card.open();
  auto rows = guard->apply(card.machine.card_context(),
                           {{"nic.channels.combined", "2"}, {"nic.ring.rx", "1024"}, {"queues.rps.count", "2"}, {"interrupts.count", "1"}});
  for (const auto& row : rows) {
    CAPTURE(row.setting, row.errno_value);
    CHECK(row.status == SettingStatus::ok);
    CHECK(row.effective == row.requested);
  }
  CHECK(row_of(rows, "queues.rps.count").files.size() == 2);
  CHECK(card.machine.server.content(queue_file("rx-1/rps_cpus")) == "3\n");
  CHECK(card.machine.server.content(queue_file("tx-1/xps_cpus")) == "3\n");  // not the driver's 2
  guard->read_back(card.machine.card_context(), rows);
  for (const auto& row : rows) CHECK(row.at_end == row.effective);
  guard->apply(card.machine.card_context(), {});
  CHECK(card.machine.contents() == card.before);
  guard->apply(card.machine.card_context(), {{"nic.channels.combined", "3"}});
  CHECK(guard->restore().complete());
  CHECK(card.machine.contents() == card.before);
  CHECK(!journal_is_open(card.machine.paths()));
}

TEST_CASE("more channels bring queues that get their values too, and go without a trace") {
  Card card;
  const auto guard = card.open();
  const auto rows =
      guard->apply(card.machine.card_context(), {{"nic.channels.combined", "6"}, {"nic.rss.count", "5"}, {"queues.rps.mask", "1"}});
  CHECK(row_of(rows, "queues.rps.mask").files.size() == 6);
  CHECK(row_of(rows, "nic.rss.count").status == SettingStatus::ok);
  CHECK(card.machine.server.content(queue_file("rx-5/rps_cpus")) == "2\n");
  const auto report = guard->restore();
  CAPTURE(to_json(report));
  CHECK(report.complete());
  CHECK(card.machine.contents() == card.before);
}

TEST_CASE("a table chosen by hand does not keep channels from going, and comes back with them") {
  Card card;
  card.machine.card->set_table({0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 3, 3, 3, 3, 3, 3});
  card.before = card.machine.contents();
  const auto guard = card.open();
  const auto rows = guard->apply(card.machine.card_context(), {{"nic.channels.combined", "2"}});
  CHECK(rows[0].effective == "2");
  CHECK(guard->restore().complete());
  CHECK(card.machine.contents() == card.before);
}

TEST_CASE("what a dead run left of channels and queues is given back from the journal") {
  Card card;
  die_with(card, {{"nic.channels.combined", "2"}, {"queues.rps.count", "1"}, {"queues.xps.count", "2"}});
  auto options = card.machine.restore_options();
  options.dry_run = true;
  const auto plan = restore_from_journal(card.machine.paths(), options).value();
  const auto row = std::ranges::find(plan.items, queue_file("rx-3/rps_cpus") + " (namespace nss-test)", &RestoreItem::what);
  REQUIRE(row != plan.items.end());
  CHECK(row->detail == "comes back with ethtool -l nic0 combined (namespace nss-test)");
  const auto report = restore_from_journal(card.machine.paths(), card.machine.restore_options()).value();
  CAPTURE(to_json(report));
  CHECK(report.complete());
  CHECK(card.machine.contents() == card.before);
}

TEST_CASE("queues that are missing because somebody else holds the channels stay in the journal") {
  Card card;
  auto guard = card.open();
  guard->apply(card.machine.card_context(), {{"nic.channels.combined", "2"}});
  write_carrier(card.machine.server, "ethtool -l nic0 combined", "1").value();
  const auto report = guard->restore();
  CHECK_FALSE(report.complete());
  const auto lost = std::ranges::find(report.items, queue_file("rx-3/rps_cpus") + " (namespace nss-test)", &RestoreItem::what);
  REQUIRE(lost != report.items.end());
  CHECK(lost->status == RestoreItem::Status::conflict);
  CHECK(lost->detail == "its queue is missing as long as this is not given back: ethtool -l nic0 combined (namespace nss-test)");
  guard.reset();
  auto options = card.machine.restore_options();
  options.force_conflicts = true;
  CHECK(restore_from_journal(card.machine.paths(), options).value().complete());
  CHECK(card.machine.contents() == card.before);
}

TEST_CASE("a link that does not come up again after a reset gets its channels back and the trial is told") {
  Card card;
  card.machine.server.add_file("/sys/class/net/nic0/carrier", "1\n");
  const auto reset = card.machine.card->on_reset;
  card.machine.card->on_reset = [&] {
    reset();
    card.machine.server.set_content("/sys/class/net/nic0/carrier", card.machine.card->channels() == 4 ? "1\n" : "0\n");
  };
  const auto guard = card.open();
  const auto rows = guard->apply(card.machine.card_context(), {{"nic.channels.combined", "2"}});
  CHECK(rows[0].status == SettingStatus::refused);
  CHECK(rows[0].errno_value == EHOSTUNREACH);
  CHECK(rows[0].effective == "4");
  CHECK(card.machine.contents() == card.before);
  CHECK(guard->restore().complete());
}

TEST_CASE("a card that carries the default route keeps its link unless the experiment allows more") {
  Card card;
  card.machine.server.add_file("/proc/net/route",
                               "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
                               "nic0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\n");
  auto context = card.machine.card_context();
  context.dedicated_namespace = false;
  CHECK(resolve_setting(context, "nic.channels.combined").error().code == ErrorCode::refused);
  CHECK(resolve_setting(context, "nic.rss.count"));
  const auto guard = card.open();
  CHECK(guard->apply(context, {{"nic.ring.rx", "1024"}})[0].status == SettingStatus::refused);
  CHECK(card.machine.contents() == card.before);
  context.link_resets.allowed = true;
  CHECK(resolve_setting(context, "nic.channels.combined"));
}

TEST_CASE("an interrupt whose number is another device's by now is left alone") {
  Card card;
  const std::string handler = "/proc/irq/41/nic0-TxRx-0";
  card.machine.host.add_file(handler, "");
  const auto guard = card.open();
  guard->apply(card.machine.card_context(), {{"interrupts.count", "1"}});
  card.machine.host.remove_file(handler);
  card.machine.host.add_file("/proc/irq/41/nvme0q1", "");
  const auto report = guard->restore();
  const auto row = std::ranges::find(report.items, Machine::affinity_path(41), &RestoreItem::what);
  REQUIRE(row != report.items.end());
  CHECK(row->status == RestoreItem::Status::gone);
  CHECK(row->detail == "nic0-TxRx-0 has no interrupt of this number any more");
  CHECK(card.machine.host.content(Machine::affinity_path(41)) == "2\n");
  CHECK(card.machine.host.content(Machine::affinity_path(42)) == "1\n");
  CHECK(report.complete());
}
