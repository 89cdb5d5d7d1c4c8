#pragma once
// A whole record as one JSON document that programs and people can read without SQLite.

#include "datasets/store/store.hpp"
#include "tuner/report/text_sink.hpp"

namespace netsettle::tuner {

/// {"format": "netsettle-record", "format_version", "study", "host", "parameters", "configurations", "trials", "decisions", "verdict"},
/// keys in snake_case, absent is null (docs/commands.md). One line for each parameter, configuration, trial and decision. A trial has its
/// settings and its series; raw output stays in the record. Failures: those of `out`; io where the record is damaged.
Expected<void> write_record_json(const datasets::Store& store, const datasets::StudyRecord& record, const StudyView& study,
                                 const TextSink& out);

}  // namespace netsettle::tuner
