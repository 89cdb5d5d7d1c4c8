#include "datasets/store/experiment_change.hpp"

#include <fmt/format.h>

#include "datasets/store/parameter_rows.hpp"
#include "datasets/store/value_columns.hpp"

namespace netsettle::datasets {

Expected<void> replace_experiment(const Connection& connection, std::int64_t study_id, std::optional<std::int64_t> session_id,
                                  const StudyRecord& study) {
  const std::string key = fmt::format("before_session_{}", session_id.value_or(0));
  NETSETTLE_TRY(
      connection.run("INSERT OR IGNORE INTO meta SELECT ?2 || '_experiment', spec_text FROM study WHERE study_id = ?1", study_id, key));
  NETSETTLE_TRY(
      connection.run("INSERT OR IGNORE INTO meta SELECT ?2 || '_overrides', overrides_json FROM study WHERE study_id = ?1", study_id, key));
  NETSETTLE_TRY(connection.run(
      "UPDATE study SET spec_file = ?2, spec_text = ?3, overrides_json = ?4, spec_hash = ?5, space_hash = ?6 WHERE study_id = ?1", study_id,
      study.spec_file, study.spec_text, to_json(study.overrides), study.spec_hash, study.space_hash));
  NETSETTLE_TRY(connection.run("DELETE FROM parameter WHERE study_id = ?1", study_id));
  return insert_parameters(connection, study_id, study);
}

}  // namespace netsettle::datasets
