#include "datasets/store/parameter_rows.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "datasets/store/value_columns.hpp"

namespace netsettle::datasets {

namespace {

constexpr std::string_view kInsert =
    "INSERT INTO parameter (study_id, name, ordinal, sets_json, type, low, high, step, scale, values_json, special_json, default_json, "
    "as_found_json, active_if, dropped_reason) VALUES (?1, ?2, ?3, ?4, (SELECT value FROM parameter_type WHERE name = ?5), ?6, ?7, ?8, "
    "(SELECT value FROM parameter_scale WHERE name = ?9), ?10, ?11, ?12, ?13, ?14, ?15)";

constexpr std::string_view kSelect =
    "SELECT p.name, p.sets_json, t.name, p.low, p.high, p.step, s.name, p.values_json, p.special_json, p.default_json, p.as_found_json, "
    "p.active_if, p.dropped_reason, p.scale IS NOT NULL FROM parameter p LEFT JOIN parameter_type t ON t.value = p.type "
    "LEFT JOIN parameter_scale s ON s.value = p.scale WHERE p.study_id = ?1 ORDER BY p.ordinal";

std::optional<std::string> dropped_reason(const StudyRecord& study, const std::string& name) {
  const auto found = std::ranges::find(study.dropped, name, &std::pair<std::string, std::string>::first);
  return found == study.dropped.end() ? std::nullopt : std::optional(found->second);
}

const ParameterSource* find_source(const StudyRecord& study, const std::string& name) {
  const auto found = study.sources.find(name);
  return found == study.sources.end() ? nullptr : &found->second;
}

std::optional<std::string> optional_json(const std::optional<Value>& value) {
  return value ? std::optional(to_json(*value)) : std::nullopt;
}

bool has_range(const Domain& domain) {
  return domain.levels.empty() && domain.type != ParameterType::boolean && domain.type != ParameterType::categorical &&
         domain.type != ParameterType::cpus;
}

/// Without a domain (a dropped parameter) only name, source and reason are filled.
Expected<void> insert_parameter(const Connection& connection, std::int64_t study_id, int ordinal, const StudyRecord& study,
                                const std::string& name, const Domain* domain) {
  const ParameterSource* source = find_source(study, name);
  const bool range = domain != nullptr && has_range(*domain);
  std::optional<std::string> type, scale, values, special;
  if (domain != nullptr) {
    type = to_text(domain->type);
    scale = to_text(domain->scale);
    values = to_json(domain->levels);
    special = to_json(domain->special);
  } else if (source != nullptr) {
    type = to_text(source->type);
  }
  return connection.run(kInsert, study_id, name, ordinal, to_json(source == nullptr ? std::vector<std::string>{} : source->sets), type,
                        range ? std::optional(domain->low) : std::nullopt, range ? std::optional(domain->high) : std::nullopt,
                        domain == nullptr ? std::nullopt : domain->step, scale, values, special,
                        source == nullptr ? std::nullopt : optional_json(source->default_value),
                        domain == nullptr ? std::nullopt : optional_json(domain->as_found),
                        source == nullptr ? std::nullopt : source->active_if, dropped_reason(study, name));
}

ParameterType parameter_type(std::string_view text) {
  using enum ParameterType;
  for (const ParameterType type : {integer, real, bytes, duration, boolean, categorical, cpus})
    if (to_text(type) == text) return type;
  return integer;  // not reached: a foreign key keeps the type within the enumeration
}

Expected<Domain> domain_at(const Statement& row) {
  Domain domain{
      .name = row.text(0), .type = parameter_type(row.text(2)), .low = row.real(3), .high = row.real(4), .step = row.optional_real(5)};
  domain.scale = row.text(6) == to_text(Scale::linear) ? Scale::linear : Scale::logarithmic;
  NETSETTLE_ASSIGN(domain.levels, values_from_json(row.text(7)));
  NETSETTLE_ASSIGN(domain.special, values_from_json(row.text(8)));
  if (!row.is_null(10)) {
    NETSETTLE_ASSIGN(domain.as_found, value_from_json(row.text(10)));
  }
  return domain;
}

Expected<ParameterSource> source_at(const Statement& row) {
  ParameterSource source{.type = parameter_type(row.text(2)), .active_if = row.optional_text(11)};
  NETSETTLE_ASSIGN(source.sets, texts_from_json(row.text(1)));
  if (!row.is_null(9)) {
    NETSETTLE_ASSIGN(source.default_value, value_from_json(row.text(9)));
  }
  return source;
}

}  // namespace

void describe_space(const Experiment& experiment, const SearchSpace& space, StudyRecord& study) {
  nlohmann::json objective{{"maximize", experiment.objective.maximize}, {"min_effect", experiment.objective.min_effect}};
  objective["subject_to"] = nlohmann::json::array();
  for (const Expression& constraint : experiment.objective.subject_to) objective["subject_to"].push_back(constraint.text());
  study.objective_json = objective.dump();
  study.domains = space.domains();
  for (const Parameter& parameter : experiment.parameters) {
    ParameterSource source{.type = parameter.type, .sets = parameter.sets, .default_value = parameter.default_value};
    if (parameter.when) source.active_if = parameter.when->text();
    study.sources[parameter.name] = std::move(source);
  }
}

Expected<void> insert_parameters(const Connection& connection, std::int64_t study_id, const StudyRecord& study) {
  int ordinal = 0;
  for (const Domain& domain : study.domains) NETSETTLE_TRY(insert_parameter(connection, study_id, ordinal++, study, domain.name, &domain));
  for (const auto& [name, reason] : study.dropped) {
    if (std::ranges::find(study.domains, name, &Domain::name) != study.domains.end()) continue;
    NETSETTLE_TRY(insert_parameter(connection, study_id, ordinal++, study, name, nullptr));
  }
  return {};
}

Expected<void> read_parameters(const Connection& connection, std::int64_t study_id, StudyRecord& study) {
  NETSETTLE_ASSIGN(Statement row, connection.query(kSelect, study_id));
  for (;;) {
    NETSETTLE_ASSIGN(const bool more, row.step());
    if (!more) return {};
    NETSETTLE_ASSIGN(ParameterSource source, source_at(row));
    if (!source.sets.empty()) study.sources[row.text(0)] = std::move(source);
    if (row.integer(13) != 0) {
      NETSETTLE_ASSIGN(Domain domain, domain_at(row));
      study.domains.push_back(std::move(domain));
    }
    if (!row.is_null(12)) study.dropped.emplace_back(row.text(0), row.text(12));
  }
}

}  // namespace netsettle::datasets
