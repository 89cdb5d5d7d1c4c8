#include "tests/support/fake_card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace netsettle::tests {
namespace {

constexpr int kTableSize = 16;

FakeProgram refused(const std::string& reason) { return {.standard_error = "netlink error: " + reason + "\n", .exit = {1, std::nullopt}}; }

FakeProgram printed(std::string text) { return {.standard_output = std::move(text)}; }

int number_of(const std::string& text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// As ethtool's fill_indir_table: blocks whose lengths are in the ratio of the weights.
std::vector<int> weighted(const std::vector<int>& weights) {
  int sum = 0;
  for (const int weight : weights) sum += weight;
  std::vector<int> table;
  int queue = -1, partial = 0;
  for (int i = 0; i < kTableSize; ++i) {
    while (i >= kTableSize * partial / sum) partial += weights[static_cast<std::size_t>(++queue)];
    table.push_back(queue);
  }
  return table;
}

}  // namespace

void FakeCard::set_table(std::vector<int> table) {
  table_ = std::move(table);
  table_is_default_ = false;
}

void FakeCard::make_default_table() {
  table_.clear();
  for (int i = 0; i < kTableSize; ++i) table_.push_back(i % channels_);
  table_is_default_ = true;
}

FakeProgram FakeCard::ethtool(const runners::ProcessSpec& spec) {
  const std::string& command = spec.argv.at(1);
  if (spec.argv.at(2) != name_) return refused("No such device");
  const Words words(spec.argv.begin() + 3, spec.argv.end());
  return command[1] >= 'a' ? show(command, words) : change(command, words);
}

FakeProgram FakeCard::show(const std::string& command, const Words& words) const {
  if (command == "-k")
    return printed(
        fmt::format("Features for {}:\nrx-checksumming: on\ngeneric-receive-offload: {}\nntuple-filters: off [fixed]\n"
                    "rx-udp-gro-forwarding: {}\n",
                    name_, features_.at("gro"), features_.at("rx-udp-gro-forwarding")));
  if (command == "-c")
    return printed(
        fmt::format("Coalesce parameters for {}:\nAdaptive RX: {}  TX: n/a\nstats-block-usecs:\tn/a\n\nrx-usecs:\t{}\nrx-frames:\tn/a\n",
                    name_, coalescing_.at("adaptive-rx"), coalescing_.at("rx-usecs")));
  if (command == "-l")
    return printed(
        fmt::format("Channel parameters for {}:\nPre-set maximums:\nRX:\t\t0\nTX:\t\t0\nOther:\t\t1\nCombined:\t{}\n"
                    "Current hardware settings:\nRX:\t\t0\nTX:\t\t0\nOther:\t\t1\nCombined:\t{}\n",
                    name_, kMostChannels, channels_));
  if (command == "-g")
    return printed(
        fmt::format("Ring parameters for {}:\nPre-set maximums:\nRX:\t\t4096\nRX Mini:\tn/a\nRX Jumbo:\tn/a\nTX:\t\t4096\n"
                    "Current hardware settings:\nRX:\t\t{}\nRX Mini:\tn/a\nRX Jumbo:\tn/a\nTX:\t\t{}\nRX Buf Len:\t\tn/a\n",
                    name_, rings_.at("rx"), rings_.at("tx")));
  if (command == "-x") return printed(table_text());
  const std::string& letters = hashes_.at(words.at(1));
  return printed(fmt::format("UDP over IPV{} flows use these fields for computing Hash flow key:\nIP SA\nIP DA\n{}\n", words[1].back(),
                             letters == "sd" ? "" : "L4 bytes 0 & 1 [TCP/UDP src port]\nL4 bytes 2 & 3 [TCP/UDP dst port]\n"));
}

std::string FakeCard::table_text() const {
  std::string text = fmt::format("RX flow hash indirection table for {} with {} RX ring(s):\n", name_, channels_);
  for (std::size_t i = 0; i < table_.size(); ++i)
    text += fmt::format("{}{:6}{}", i % 8 == 0 ? fmt::format("{:5}: ", i) : "", table_[i], i % 8 == 7 ? "\n" : "");
  return text + "RSS hash key:\n6d:5a:56:da\nRSS hash function:\n    toeplitz: on\n    xor: off\n    crc32: off\n";
}

FakeProgram FakeCard::change(const std::string& command, const Words& words) {
  if (command == "-L") return change_channels(words);
  if (command == "-X") return change_table(words);
  if (command == "-N") {
    hashes_.at(words.at(1)) = words.at(2);
    return {};
  }
  auto& values = command == "-K" ? features_ : command == "-C" ? coalescing_ : rings_;
  if (!values.contains(words.at(0))) return refused("Operation not supported");
  if (command == "-G" && number_of(words.at(1)) > 4096) return refused("requested ring size exceeds maximum (offset 36)");
  values[words[0]] = command == "-C" && coalescing_rule ? coalescing_rule(words[0], words.at(1)) : words.at(1);
  if (command == "-G" && on_reset) on_reset();
  return {};
}

FakeProgram FakeCard::change_channels(const Words& words) {
  const int count = number_of(words.at(1));
  if (words.at(0) != "combined" || count > kMostChannels)
    return refused("requested channel count exceeds maximum (offset 32)\nnetlink error: Invalid argument");
  if (count < 1) return refused("Invalid argument");
  if (!table_is_default_ && *std::ranges::max_element(table_) >= count)
    return refused("requested channel counts are too low for existing indirection table settings\nnetlink error: Invalid argument");
  channels_ = count;
  if (table_is_default_) make_default_table();
  if (on_reset) on_reset();
  return {};
}

FakeProgram FakeCard::change_table(const Words& words) {
  if (words.at(0) == "default") {
    make_default_table();
    return {};
  }
  std::vector<int> numbers;
  for (auto word = words.begin() + 1; word != words.end(); ++word) numbers.push_back(number_of(*word));
  std::vector<int> table;
  for (int i = 0; words[0] == "equal" && i < kTableSize; ++i) table.push_back(i % numbers.at(0));
  if (words[0] == "weight") table = weighted(numbers);
  if (table.empty() || *std::ranges::max_element(table) >= channels_) return refused("Invalid argument");
  set_table(std::move(table));
  return {};
}

std::map<std::string, std::string> FakeCard::contents() const {
  std::map<std::string, std::string> contents = {{"ethtool -l nic0 combined", fmt::format("{}", channels_)},
                                                 {"ethtool -x nic0 table", fmt::format("{}", fmt::join(table_, " "))}};
  const auto add = [&](const char* command, const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) contents[fmt::format("ethtool {} {} {}", command, name_, name)] = value;
  };
  add("-k", features_);
  add("-c", coalescing_);
  add("-g", rings_);
  add("-n", hashes_);
  return contents;
}

}  // namespace netsettle::tests
