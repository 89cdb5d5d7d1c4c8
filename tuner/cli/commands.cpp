#include <array>

#include "tuner/cli/command.hpp"

namespace netsettle::tuner {

std::span<const Command> commands() {
  static constexpr std::array kCommands = {
      Command{"doctor", "what this machine allows; changes nothing", run_doctor},
      Command{"init", "an experiment file to begin with, for this machine or from a sysctl.conf", run_init},
      Command{"check", "validates an experiment file; how many configurations, trials and hours it means", run_check},
      Command{"plan", "the exact writes of a configuration, in order; changes nothing", run_plan},
      Command{"calibrate", "the load under which more load gives no more answers; headroom", run_calibrate},
      Command{"trial", "measures one configuration and explains where queries were lost", run_trial_command},
      Command{"run", "the study: starts it, or goes on where it stopped", run_run},
      Command{"ask-tell", "the search for somebody else's experiment: JSON lines on standard input and output", run_ask_tell},
      Command{"status", "where the running study or a record stands", run_status},
      Command{"stop", "ends the running study; everything is given back", run_stop},
      Command{"restore", "gives the machine back after a crash, from the undo journal alone", run_restore},
      Command{"show", "reads a record: best, configurations, trials, one trial, decisions, host", run_show},
      Command{"parse", "what the parsers see in outputs and counters that you have", run_parse},
      Command{"db", "care of records: copies, checks, archives", run_db},
      Command{"rerun", "a trial or a configuration of a record, measured again and compared", run_rerun},
      Command{"compare", "configurations of a record, measured side by side in fresh blocks", run_compare},
      Command{"confirm", "the best configurations of a record against the baseline in fresh blocks: a look of your own", run_confirm},
      Command{"simulate", "whole studies on machines with a known optimum: how good strategies are, how often claims are wrong",
              run_simulate},
      Command{"replay", "the decisions of a record, computed again and compared", run_replay},
      Command{"explain", "what bought the gain, by the model: the way there, shares of the parameters, curves", run_explain},
      Command{"report", "a page for a ticket", run_report},
      Command{"export", "the winning settings as a bundle", run_export},
  };
  return kCommands;
}

}  // namespace netsettle::tuner
