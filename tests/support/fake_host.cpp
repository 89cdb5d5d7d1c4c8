#include "tests/support/fake_host.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/fake_process.hpp"

namespace netsettle::tests {

void FakeClock::sleep(Microseconds duration, const StopFlag* stop) {
  if (stop == nullptr || stop->load() == 0) now_ += duration;
}

std::string to_text(const Operation& operation) {
  constexpr std::string_view kNames[] = {"read", "write", "list", "check", "start", "datagram"};
  std::string text = fmt::format("{} {}{}{}", kNames[static_cast<std::size_t>(operation.kind)], operation.netns,
                                 operation.netns.empty() ? "" : ":", operation.subject);
  if (operation.kind == OperationKind::write) text += " " + operation.text;
  return text;
}

std::vector<std::string> OperationLog::texts() const {
  std::vector<std::string> texts;
  for (const auto& operation : operations_) texts.push_back(to_text(operation));
  return texts;
}

void OperationLog::stop_failing() {
  failures_.clear();
  lasting_failure_.reset();
}

int OperationLog::note(Operation operation) {
  if (on_operation) on_operation(operation);
  operations_.push_back(std::move(operation));
  if (lasting_failure_ && operations_.size() >= lasting_failure_->first) return lasting_failure_->second;
  const auto failure = failures_.find(operations_.size());
  return failure == failures_.end() ? 0 : failure->second;
}

FakeHost::FakeHost(std::string netns, std::shared_ptr<OperationLog> log) : netns_(std::move(netns)), log_(std::move(log)) {}

void FakeHost::add_file(const std::string& path, std::string content) { files_[path] = std::move(content); }

void FakeHost::add_number_file(const std::string& path, std::string content) {
  add_file(path, std::move(content));
  on_write(path, [](std::string_view written) -> std::expected<std::string, int> {
    const auto end = written.find_last_not_of(" \t\n");
    if (end == std::string_view::npos) return std::unexpected(EINVAL);
    const std::string_view number = written.substr(0, end + 1);
    const std::size_t sign = number.starts_with('-') ? 1 : 0;
    if (number.size() == sign || !std::ranges::all_of(number.substr(sign), [](unsigned char c) { return std::isdigit(c) != 0; }))
      return std::unexpected(EINVAL);
    return std::string(number) + "\n";
  });
}

void FakeHost::remove_file(const std::string& path) { files_.erase(path); }

void FakeHost::fail_path(const std::string& path, int errno_value) { failing_[path] = errno_value; }

void FakeHost::fail_writes(const std::string& path, int errno_value) { failing_writes_[path] = errno_value; }

void FakeHost::add_program(const std::string& name, FakeProgram program) {
  programs_[name] = [program = std::move(program)](const runners::ProcessSpec&) { return program; };
}

/// Notes the operation and says whether it was told to fail.
Expected<void> FakeHost::begin(OperationKind kind, const std::string& subject, std::string_view text) {
  if (const int error = log_->note({kind, netns_, subject, std::string(text)}); error != 0)
    return std::unexpected(errno_error(error, subject, "was told to fail"));
  const auto failing = failing_.find(subject);
  if (failing != failing_.end() && failing->second != 0) return std::unexpected(errno_error(failing->second, subject, "was told to fail"));
  return {};
}

Expected<std::string> FakeHost::read_file(const std::string& path) {
  NETSETTLE_TRY(begin(OperationKind::read, path));
  const auto file = files_.find(followed(path));
  if (file == files_.end()) return std::unexpected(errno_error(ENOENT, path, "cannot be opened"));
  return file->second;
}

Expected<void> FakeHost::write_file(const std::string& path, std::string_view text) {
  NETSETTLE_TRY(begin(OperationKind::write, path, text));
  const auto file = files_.find(followed(path));
  if (file == files_.end()) return std::unexpected(errno_error(ENOENT, path, "cannot be opened"));
  if (read_only_.contains(path)) return std::unexpected(errno_error(EACCES, path, "cannot be opened"));
  const auto failing = failing_writes_.find(path);
  if (failing != failing_writes_.end() && failing->second != 0)
    return std::unexpected(errno_error(failing->second, path, "was told to fail"));
  const auto rule = rules_.find(path);
  if (rule == rules_.end()) {
    file->second = std::string(text);
    return {};
  }
  auto content = rule->second(text);
  if (!content) return std::unexpected(errno_error(content.error(), path, "cannot be written"));
  file->second = std::move(*content);
  return {};
}

Expected<std::vector<std::string>> FakeHost::list_directory(const std::string& path) {
  NETSETTLE_TRY(begin(OperationKind::list, path));
  const std::string folder = followed(path), prefix = folder.ends_with('/') ? folder : folder + "/";
  std::set<std::string> names;
  for (auto link = links_.lower_bound(prefix); link != links_.end() && link->first.starts_with(prefix); ++link)
    names.insert(link->first.substr(prefix.size(), link->first.find('/', prefix.size()) - prefix.size()));
  for (auto file = files_.lower_bound(prefix); file != files_.end() && file->first.starts_with(prefix); ++file)
    names.insert(file->first.substr(prefix.size(), file->first.find('/', prefix.size()) - prefix.size()));
  if (names.empty()) return std::unexpected(errno_error(ENOENT, path, "cannot be listed"));
  return std::vector<std::string>(names.begin(), names.end());
}

/// The path with every link on its way replaced by where it leads.
std::string FakeHost::followed(const std::string& path) const {
  if (links_.empty()) return path;
  std::filesystem::path whole;
  for (const auto& part : std::filesystem::path(path)) {
    whole = (whole / part).lexically_normal();
    for (auto link = links_.find(whole.string()); link != links_.end(); link = links_.find(whole.string()))
      whole = followed((whole.parent_path() / link->second).lexically_normal().string());
  }
  const std::string place = whole.string();
  return place.size() > 1 && place.ends_with('/') ? place.substr(0, place.size() - 1) : place;
}

bool FakeHost::has_folder(const std::string& path) const {
  const auto file = files_.lower_bound(path + "/");
  return path == "/" || (file != files_.end() && file->first.starts_with(path + "/"));
}

Expected<std::string> FakeHost::real_path(const std::string& path) {
  NETSETTLE_TRY(begin(OperationKind::list, path));
  std::string resolved = followed(path);
  if (!files_.contains(resolved) && !has_folder(resolved)) return std::unexpected(errno_error(ENOENT, path, "cannot be followed"));
  return resolved;
}

Expected<void> FakeHost::check_writable(const std::string& path) {
  NETSETTLE_TRY(begin(OperationKind::check, path));
  if (!files_.contains(followed(path))) return std::unexpected(errno_error(ENOENT, path, "cannot be written"));
  if (read_only_.contains(path)) return std::unexpected(errno_error(EACCES, path, "cannot be written"));
  return {};
}

Expected<std::unique_ptr<runners::Process>> FakeHost::start(const runners::ProcessSpec& spec) {
  if (spec.argv.empty()) return fail(ErrorCode::invalid_input, "", "an empty command");
  NETSETTLE_TRY(begin(OperationKind::start, fmt::format("{}", fmt::join(spec.argv, " "))));
  const auto script = programs_.find(spec.argv.front());
  if (script == programs_.end()) return std::unexpected(errno_error(ENOENT, spec.argv.front(), "no such program"));
  FakeProgram program = script->second(spec);
  if (program.start_error) return std::unexpected(*program.start_error);
  return std::make_unique<FakeProcess>(next_pid_++, std::move(program), spec.output_limit, clock_);
}

Expected<std::string> FakeHost::exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) {
  NETSETTLE_TRY(begin(OperationKind::datagram, fmt::format("{}:{}", address, port), bytes));
  if (answer_) return answer_(address, port, bytes);
  clock_->sleep(timeout);
  return fail(ErrorCode::timed_out, "", "no answer to the datagram");
}

namespace {

class BorrowedHost final : public runners::Host {
 public:
  explicit BorrowedHost(runners::Host& host) : host_(host) {}
  Expected<std::string> read_file(const std::string& path) override { return host_.read_file(path); }
  Expected<void> write_file(const std::string& path, std::string_view text) override { return host_.write_file(path, text); }
  Expected<std::vector<std::string>> list_directory(const std::string& path) override { return host_.list_directory(path); }
  Expected<std::string> real_path(const std::string& path) override { return host_.real_path(path); }
  Expected<void> check_writable(const std::string& path) override { return host_.check_writable(path); }
  Expected<std::unique_ptr<runners::Process>> start(const runners::ProcessSpec& spec) override { return host_.start(spec); }
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override {
    return host_.exchange_datagram(address, port, bytes, timeout);
  }
  runners::Clock& clock() override { return host_.clock(); }
  std::string network_namespace() const override { return host_.network_namespace(); }

 private:
  runners::Host& host_;
};

}  // namespace

std::unique_ptr<runners::Host> borrow(runners::Host& host) { return std::make_unique<BorrowedHost>(host); }

}  // namespace netsettle::tests
