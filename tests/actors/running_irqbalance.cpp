#include "tests/actors/running_irqbalance.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/irqbalance.hpp"

namespace netsettle::tests {

using namespace runners;
using namespace std::chrono_literals;

RunningIrqbalance::RunningIrqbalance(const std::vector<std::string>& arguments, RunFolder run_folder) : host_(make_local_host()) {
  const std::string script = folder_.file("ban-all");
  std::ofstream(script) << "#!/bin/sh\necho ban=true\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ProcessSpec spec;
  if (run_folder == RunFolder::hidden)
    spec.argv = {"unshare", "--mount", "sh", "-c", "mount -t tmpfs none /run && exec \"$@\"", "sh"};
  else
    made_run_folder_ = std::filesystem::create_directory("/run/irqbalance");
  spec.argv.insert(spec.argv.end(), {"irqbalance", "--foreground", "--interval=1", "--policyscript=" + script});
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  process_ = host_->start(spec).value();
  identity_ = identify(process_->pid()).value();
  while (!ask_irqbalance(identity_)) {
    if (process_->wait(20ms)) throw std::runtime_error("irqbalance ended: " + process_->standard_error());
  }
}

RunningIrqbalance::~RunningIrqbalance() {
  stop();
  std::error_code ignored;
  if (made_run_folder_) std::filesystem::remove(socket(), ignored), std::filesystem::remove("/run/irqbalance", ignored);
}

std::string RunningIrqbalance::socket() const { return fmt::format("/run/irqbalance/irqbalance{}.sock", identity_.pid); }

std::string RunningIrqbalance::bans() const { return to_list(ask_irqbalance(identity_).value().banned_irqs); }

void RunningIrqbalance::tell(std::string_view command) const { static_cast<void>(talk_to_irqbalance(identity_, command, 15s).value()); }

void RunningIrqbalance::stop() {
  if (process_->wait(0ms)) return;
  static_cast<void>(process_->signal(SIGCONT));
  static_cast<void>(process_->signal(SIGTERM));
  static_cast<void>(process_->wait(20s));
}

}  // namespace netsettle::tests
