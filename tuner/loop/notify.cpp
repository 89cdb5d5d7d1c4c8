#include "tuner/loop/notify.hpp"

#include <nlohmann/json.hpp>

#include "strategies/racing/next_step.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {
namespace {

const char* event_of(const SessionResult& result) {
  if (!result.restored.complete()) return "restore-conflict";
  switch (result.end) {
    case SessionEnd::finished:
      return "finish";
    case SessionEnd::interrupted:
      return "pause";
    case SessionEnd::aborted:
      return "abort";
  }
  return "abort";
}

}  // namespace

void notify(runners::Host& host, const Experiment& experiment, const std::filesystem::path& database, const SessionResult& result,
            int exit_code) {
  if (experiment.notify.command.empty()) return;
  nlohmann::json message = {{"study", experiment.study.name},
                            {"database", database.string()},
                            {"event", event_of(result)},
                            {"exit_code", exit_code},
                            {"reason", result.reason},
                            {"verdict", nullptr},
                            {"statement", nullptr}};
  if (const auto store = datasets::Store::open_reader(database))
    if (const auto view = load_view(*store))
      if (const auto verdict = strategies::verdict_of(*view)) {
        message["verdict"] = strategies::to_text(verdict->kind);
        message["statement"] = verdict->statement;
      }
  runners::ProcessSpec spec;
  spec.argv = experiment.notify.command;
  spec.input = message.dump() + "\n";
  (void)runners::run_program(host, spec, std::chrono::seconds(10));
}

}  // namespace netsettle::tuner
