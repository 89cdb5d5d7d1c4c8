#pragma once
// A study whose trials another program runs: messages in, answers out (docs/ask-tell.md). The course and the record are those of any study.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/host.hpp"
#include "strategies/course/course.hpp"
#include "tuner/loop/ask_tell_messages.hpp"
#include "tuner/loop/store_recorder.hpp"

namespace netsettle::tuner {

struct AskTellOptions {
  std::filesystem::path database;
  std::vector<std::string> overrides;  // "--set" texts, for the record
  std::vector<std::string> argv;
  std::optional<std::filesystem::path> import_from = {};  // a record whose trials a new study begins with
};

class AskTell {
 public:
  /// Begins or continues the study. Failures: mismatch (exit 6), busy where another netsettle writes the record, what Store says.
  static std::expected<std::unique_ptr<AskTell>, Errors> open(runners::Host& host, const Experiment& experiment,
                                                              const AskTellOptions& options);

  const StudyView& study() const { return course_->study(); }

  /// The answer to one message, both without newline. Whatever the message tells is in the record before this returns.
  std::string answer(std::string_view line);

  /// What a person may want to know of the beginning; empty: nothing.
  const std::string& note() const { return note_; }
  /// Whether no trial is out.
  bool idle() const { return course_->out().empty(); }

  /// Ends the session; the study can be continued.
  Expected<void> close(std::string_view reason);

 private:
  AskTell(runners::Host& host, datasets::Store store) : host_(host), store_(std::move(store)) {}

  Expected<void> begin(const Experiment& experiment, const AskTellOptions& options);
  std::int64_t now_us() const { return host_.clock().utc().count(); }
  std::string ask();
  std::string tell(const Tell& told);
  std::string finish();
  std::string done() const;
  /// Why this trial cannot be told; empty: it can.
  std::string objection(const Tell& told) const;

  runners::Host& host_;
  datasets::Store store_;
  std::unique_ptr<StoreRecorder> recorder_;
  std::unique_ptr<strategies::StudyCourse> course_;
  std::string note_;
  std::map<std::int64_t, std::int64_t> asked_us_;  // by trial
  std::int64_t last_before_ = 0;                   // the last trial that the record had when this session began
};

}  // namespace netsettle::tuner
