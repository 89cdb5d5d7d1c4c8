#include <algorithm>
#include <system_error>

#include "datasets/store/care.hpp"
#include "datasets/store/location.hpp"

namespace netsettle::datasets {

namespace {

Expected<MergedRecords> fill(const std::filesystem::path& target, const std::filesystem::path& first, const std::filesystem::path& second) {
  NETSETTLE_ASSIGN(const Store first_store, Store::open_reader(first));
  NETSETTLE_ASSIGN(const Store second_store, Store::open_reader(second));
  NETSETTLE_ASSIGN(StudyRecord study, first_store.study());
  NETSETTLE_ASSIGN(const StudyRecord other, second_store.study());
  study.status = StudyStatus::paused;
  study.until_us.reset();
  study.created_us = std::min(study.created_us, other.created_us);
  NETSETTLE_ASSIGN(Store store, Store::create(target, study));
  MergedRecords merged;
  NETSETTLE_ASSIGN(merged.first, store.import_trials(first, RawOutput::take));
  NETSETTLE_ASSIGN(merged.second, store.import_trials(second, RawOutput::take));
  return merged;
}

}  // namespace

Expected<MergedRecords> merge_records(const std::filesystem::path& first, const std::filesystem::path& second,
                                      const std::filesystem::path& out) {
  NETSETTLE_TRY(check_file(first));
  NETSETTLE_TRY(check_file(second));
  std::error_code error;
  if (std::filesystem::equivalent(first, second, error))
    return fail(ErrorCode::invalid_input, second.string(), "is the same file as the first record");
  NETSETTLE_TRY(check_new_file(out));
  const UnfinishedFile unfinished(out);
  NETSETTLE_ASSIGN(const MergedRecords merged, fill(unfinished.path(), first, second));
  NETSETTLE_TRY(publish(unfinished.path(), out));
  return merged;
}

}  // namespace netsettle::datasets
