#pragma once
// A network card as ethtool 6.1 shows it: features, coalescing, channels, rings, the indirection table and hash fields, in ethtool's own
// words. What a change of channels or rings does to the queues is the machine's affair: `on_reset`.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/fake_host.hpp"

namespace netsettle::tests {

class FakeCard {
 public:
  explicit FakeCard(std::string name) : name_(std::move(name)) { make_default_table(); }

  FakeProgram ethtool(const runners::ProcessSpec& spec);

  /// What the driver does with a value of ethtool -C; empty: takes it.
  std::function<std::string(std::string_view name, std::string_view value)> coalescing_rule;
  /// After channels or rings were changed.
  std::function<void()> on_reset;

  int channels() const { return channels_; }
  const std::vector<int>& table() const { return table_; }
  void set_table(std::vector<int> table);
  /// Everything, by what runners/settings calls it.
  std::map<std::string, std::string> contents() const;

  static constexpr int kMostChannels = 8;

 private:
  using Words = std::vector<std::string>;
  FakeProgram show(const std::string& command, const Words& words) const;
  FakeProgram change(const std::string& command, const Words& words);
  FakeProgram change_channels(const Words& words);
  FakeProgram change_table(const Words& words);
  std::string table_text() const;
  void make_default_table();

  std::string name_;
  int channels_ = 4;
  std::map<std::string, std::string> features_ = {{"gro", "off"}, {"rx-udp-gro-forwarding", "off"}};
  std::map<std::string, std::string> coalescing_ = {{"adaptive-rx", "off"}, {"rx-usecs", "3"}};
  std::map<std::string, std::string> rings_ = {{"rx", "512"}, {"tx", "256"}};
  std::map<std::string, std::string> hashes_ = {{"udp4", "sd"}, {"udp6", "sdfn"}};
  std::vector<int> table_;
  bool table_is_default_ = true;
};

}  // namespace netsettle::tests
