#pragma once
// Any program as a load: an argument vector with placeholders, and JSON pointers to the counts in what it prints.

#include "runners/loads/load.hpp"

namespace netsettle::runners {

class CommandLoad final : public Load {
 public:
  /// `load`: argv and result of the experiment file.
  explicit CommandLoad(const LoadSection& load) : program_(load.argv.empty() ? "" : load.argv.front()), result_(load.result) {}

  std::string_view program() const override { return program_; }
  std::string_view package() const override { return ""; }
  std::string_view version_argument() const override { return ""; }
  Expected<void> check(const LoadSection& load) const override;
  /// {address} {port} {seconds} {queries} {rate} {clients} {instance} in load.argv are replaced, also within a word; other words in braces
  /// are a mistake. {rate} is that of one instance. load.arguments follow.
  Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const override;
  /// The last JSON object on standard output counts. A pointer that leads nowhere is an error of the report.
  LoadReport parse(std::string_view standard_output, std::string_view standard_error) const override;

 private:
  std::string program_;
  std::map<std::string, std::string> result_;
};

}  // namespace netsettle::runners
