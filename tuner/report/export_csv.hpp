#pragma once
// The trials of a record as a table for spreadsheets, R and pandas (RFC 4180: commas, CRLF, quotes where they are needed).

#include "datasets/model/study_view.hpp"
#include "tuner/report/text_sink.hpp"

namespace netsettle::tuner {

/// A head line and one row a trial, in the order of the record: what it was, then "parameter.NAME" for every parameter of the space (bytes
/// and microseconds as whole numbers; what was left as found has the value found, or "as-found" where several settings differed; empty
/// where it is inactive), then "metric.NAME" for every metric of which some trial has a value, the documented ones first. What is absent is
/// an empty field. Times are UTC, ISO 8601. Failures: those of `out`.
Expected<void> write_csv(const StudyView& study, const TextSink& out);

}  // namespace netsettle::tuner
