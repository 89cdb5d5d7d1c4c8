// nic.*: a card whose ethtool knows generic receive offload, rx-usecs and adaptive-rx.

#include <cerrno>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "runners/settings/carrier.hpp"
#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using netsettle::tests::FakeProgram;

namespace {

struct Card {
  Card() { machine.add_card(); }
  Expected<ResolvedSetting> resolve(const std::string& name) { return resolve_setting(machine.card_context(), name); }
  std::string value(const std::string& carrier) { return read_carrier(machine.server, carrier).value(); }

  Machine machine;
};

FakeProgram that_says(const std::string& error) { return {.standard_error = error, .exit = {1, std::nullopt}}; }

}  // namespace

TEST_CASE("a card's features and times are switched through ethtool and given back") {
  Card card;
  const auto before = card.machine.contents();
  const auto guard = SettingsGuard::open(card.machine.guard_options()).value();
  auto rows = guard->apply(card.machine.card_context(), {{"nic.features.gro", "1"}, {"nic.coalesce.rx-usecs", "50"}});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].setting == "nic.coalesce.rx-usecs");
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(rows[0].before == "3");
  CHECK(rows[0].effective == "50");
  CHECK(rows[0].target == "ethtool -c nic0 rx-usecs (namespace nss-test)");
  CHECK(rows[1].before == "0");
  CHECK(rows[1].effective == "1");
  CHECK(card.value("ethtool -k nic0 gro") == "on");
  guard->read_back(card.machine.card_context(), rows);
  CHECK(rows[1].at_end == "1");
  guard->apply(card.machine.card_context(), {{"nic.features.gro", "as-found"}});
  CHECK(card.machine.contents() == before);
  guard->apply(card.machine.card_context(), {{"nic.features.gro", "1"}});
  CHECK(guard->restore().complete());
  CHECK(card.machine.contents() == before);
  CHECK(!journal_is_open(card.machine.paths()));
}

TEST_CASE("what a dead run left in the card is given back from the journal") {
  Card card;
  const auto before = card.machine.contents();
  auto guard = SettingsGuard::open(card.machine.guard_options()).value();
  guard->apply(card.machine.card_context(), {{"nic.features.gro", "1"}, {"nic.coalesce.adaptive-rx", "1"}});
  const std::string journal = card.machine.journal_text();
  REQUIRE(guard->restore().complete());
  guard.reset();
  Card dead;
  std::filesystem::create_directories(dead.machine.paths().undo_directory);
  std::ofstream(dead.machine.paths().undo_directory / "journal") << journal;
  write_carrier(dead.machine.server, "ethtool -k nic0 gro", "on").value();
  write_carrier(dead.machine.server, "ethtool -c nic0 adaptive-rx", "on").value();
  const auto report = restore_from_journal(dead.machine.paths(), dead.machine.restore_options()).value();
  CAPTURE(to_json(report));
  CHECK(report.complete());
  CHECK(dead.machine.contents() == before);
}

TEST_CASE("a time that the driver rounds is recorded as the one in force") {
  Card card;
  card.machine.card->coalescing_rule = [](std::string_view, std::string_view value) { return value == "50" ? "48" : std::string(value); };
  const auto guard = SettingsGuard::open(card.machine.guard_options()).value();
  const auto rows = guard->apply(card.machine.card_context(), {{"nic.coalesce.rx-usecs", "50"}});
  CHECK(rows[0].status == SettingStatus::clamped);
  CHECK(rows[0].effective == "48");
  CHECK(guard->restore().complete());
  CHECK(card.value("ethtool -c nic0 rx-usecs") == "3");
}

TEST_CASE("what a card does not have, or its driver keeps, is unsupported with the reason") {
  Card card;
  CHECK(card.resolve("nic.coalesce.rx-frames").error().text == "nic0 does not have it");
  CHECK(card.resolve("nic.features.rx-gro-list").error().code == ErrorCode::unsupported);
  CHECK(card.resolve("nic.features.ntuple").error().text == "its driver keeps it off [fixed]");
  auto context = card.machine.card_context();
  CHECK(resolve_setting(card.machine.context(), "nic.features.gro").error().errno_value == ENODEV);
  context.interface = "nic0 -h";
  CHECK(resolve_setting(context, "nic.features.gro").error().code == ErrorCode::invalid_input);
}

TEST_CASE("ethtool's refusals keep the kernel's reason, and a missing ethtool is named") {
  Machine machine;
  struct Row {
    const char* text;
    int number;
  };
  const Row rows[] = {{"netlink error: Operation not supported\n", EOPNOTSUPP},
                      {"netlink error: Operation not permitted\n", EPERM},
                      {"Cannot get device coalesce settings: No such device\n", ENODEV},
                      {"netlink error: Invalid argument\n", EINVAL},
                      {"Could not change any device features\n", EIO},
                      {"", EIO}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    machine.server.add_program("ethtool", that_says(row.text));
    CHECK(write_carrier(machine.server, "ethtool -k nic0 gro", "on").error().errno_value == row.number);
  }
  Machine bare;
  const auto setting = resolve_setting(bare.context(), "nic.features.gro");
  REQUIRE_FALSE(setting);
  CHECK(setting.error().text == "needs the program ethtool, which is not installed");
}

TEST_CASE("somebody else's switch of a card is left alone, a card that is gone is gone") {
  Card card;
  auto guard = SettingsGuard::open(card.machine.guard_options()).value();
  guard->apply(card.machine.card_context(), {{"nic.coalesce.rx-usecs", "50"}});
  write_carrier(card.machine.server, "ethtool -c nic0 rx-usecs", "99").value();
  const auto report = guard->restore();
  CHECK_FALSE(report.complete());
  CHECK(card.value("ethtool -c nic0 rx-usecs") == "99");
  Card other;
  guard = SettingsGuard::open(other.machine.guard_options()).value();
  guard->apply(other.machine.card_context(), {{"nic.coalesce.rx-usecs", "50"}});
  other.machine.server.add_program("ethtool", that_says("netlink error: No such device\n"));
  CHECK(guard->restore().items[0].status == RestoreItem::Status::failed);  // it is still listed
}

TEST_CASE("times of a card that chooses them by itself cannot matter") {
  Card card;
  const auto reason = [&](const std::vector<std::string>& all) {
    return inert_reason(card.machine.card_context(), "nic.coalesce.rx-usecs", all);
  };
  CHECK(!reason({}));
  write_carrier(card.machine.server, "ethtool -c nic0 adaptive-rx", "on").value();
  CHECK(reason({}));
  CHECK(!reason({"nic.coalesce.adaptive-rx"}));
}
