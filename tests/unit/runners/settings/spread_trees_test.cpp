// The queues of captured machines, as a spread sees them: every interrupt of a queue has a place, places have no gaps, and what receives
// and sends for one queue shares a place.

#include <filesystem>

#include <catch2/catch.hpp>

#include "runners/hosts/tree_host.hpp"
#include "runners/settings/interrupt_settings.hpp"
#include "runners/topology/nic.hpp"

using namespace netsettle;
using namespace netsettle::runners;

namespace {

std::vector<std::string> tree_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(NETSETTLE_SOURCE_DIR "/datasets/captures/trees"))
    if (entry.path().extension() == ".gz") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

SettingContext context_of(Host& host, const std::string& interface) { return {.host = &host, .server = &host, .interface = interface}; }

std::vector<QueueInterrupt> spread_of(const std::string& tree, const std::string& interface) {
  const auto host = open_tree(NETSETTLE_SOURCE_DIR "/datasets/captures/trees/" + tree + ".tar.gz").value();
  return queue_interrupts(context_of(*host, interface), "interrupts.count").value();
}

/// The number of interrupts at each place.
std::map<int, int> places(const std::vector<QueueInterrupt>& interrupts) {
  std::map<int, int> count;
  for (const auto& interrupt : interrupts) ++count[interrupt.queue];
  return count;
}

}  // namespace

TEST_CASE("in every captured machine each queue interrupt has a place, and places have no gaps") {
  std::size_t with_interrupts = 0;
  for (const auto& file : tree_files()) {
    const auto host = open_tree(file).value();
    const auto devices = read_nic_devices(*host).value();
    for (const auto& [name, device] : devices) {
      CAPTURE(file, name);
      const auto context = context_of(*host, name);
      const auto found = queue_interrupts(context, "interrupts.count");
      const auto nic = read_nic(*host, name).value();
      CHECK(found.has_value() == !nic.irqs.queues.empty());
      if (!found) {
        CHECK(found.error().code == ErrorCode::unsupported);
        continue;
      }
      ++with_interrupts;
      CHECK(found->size() == nic.irqs.queues.size());
      CHECK(std::ranges::is_sorted(*found, {}, &QueueInterrupt::queue));
      const auto by_place = places(*found);
      CHECK(by_place.begin()->first == 0);
      CHECK(by_place.rbegin()->first == std::ssize(by_place) - 1);
    }
  }
  CHECK(with_interrupts > 25);
}

TEST_CASE("what receives and what sends for one queue of virtio and of igb go to one CPU") {
  CHECK(places(spread_of("virtio-4q-and-rng", "ens3")) == std::map<int, int>{{0, 2}, {1, 2}, {2, 2}, {3, 2}});
  for (const auto& [place, count] : places(spread_of("igb-separate", "eth0"))) {
    CAPTURE(place);
    CHECK(count == 2);
  }
}

TEST_CASE("queues of a dual-port card that serve both ports are one per place") {
  const auto host = open_tree(NETSETTLE_SOURCE_DIR "/datasets/captures/trees/mlx4-dual-port.tar.gz").value();
  const auto devices = read_nic_devices(*host).value();
  REQUIRE(!devices.empty());
  for (const auto& [name, device] : devices) {
    if (device.device.empty()) continue;
    const auto by_place = places(queue_interrupts(context_of(*host, name), "interrupts.count").value());
    CHECK(std::ranges::all_of(by_place, [](const auto& place) { return place.second == 1; }));
  }
}
