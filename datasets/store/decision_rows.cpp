#include "datasets/store/decision_rows.hpp"

#include "datasets/model/configuration.hpp"

namespace netsettle::datasets {

Expected<std::int64_t> insert_decision(const Connection& connection, std::int64_t study_id, const Decision& decision) {
  return connection.insert(
      "INSERT INTO decision (study_id, at_us, kind, configuration_id, versus, method, n, effect, low, high, p, alpha, "
      "inputs_json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
      study_id, decision.at_us, static_cast<int>(decision.kind), decision.configuration_id, decision.versus, decision.method, decision.n,
      decision.effect, decision.low, decision.high, decision.p, decision.alpha, decision.inputs_json);
}

Expected<std::vector<Decision>> read_decisions(const Connection& connection, std::int64_t study_id) {
  NETSETTLE_ASSIGN(Statement query,
                   connection.query("SELECT decision_id, at_us, kind, configuration_id, versus, method, n, effect, low, high, "
                                    "p, alpha, inputs_json FROM decision WHERE study_id = ?1 ORDER BY decision_id",
                                    study_id));
  std::vector<Decision> decisions;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) {
    Decision decision{.id = row.integer(0), .at_us = row.integer(1), .kind = static_cast<DecisionKind>(row.integer(2))};
    decision.configuration_id = row.optional_integer(3);
    decision.versus = row.optional_integer(4);
    decision.method = row.text(5);
    if (!row.is_null(6)) decision.n = static_cast<int>(row.integer(6));
    decision.effect = row.optional_real(7);
    decision.low = row.optional_real(8);
    decision.high = row.optional_real(9);
    decision.p = row.optional_real(10);
    decision.alpha = row.optional_real(11);
    decision.inputs_json = row.text(12);
    decisions.push_back(std::move(decision));
  }));
  return decisions;
}

Expected<void> insert_bundle(const Connection& connection, std::int64_t study_id, std::int64_t configuration_id, std::string_view format,
                             std::string_view content, std::int64_t now_us) {
  return connection.run(
      "INSERT INTO bundle (study_id, configuration_id, format, sha256, created_us, content) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      study_id, configuration_id, format, sha256_hex(content), now_us, std::as_bytes(std::span(content)));
}

}  // namespace netsettle::datasets
