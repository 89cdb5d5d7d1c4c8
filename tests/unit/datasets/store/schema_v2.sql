CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE study_status (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE host_role (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE parameter_type (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE parameter_scale (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE value_type (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE configuration_state (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE trial_purpose (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE trial_state (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE trial_outcome (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE setting_status (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE metric_better (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE metric_kind (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE decision_kind (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE host (
  host_id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  kernel TEXT,
  cpu_model TEXT,
  sockets INTEGER,
  cores INTEGER,
  threads INTEGER,
  nodes INTEGER,
  ram_bytes INTEGER,
  facts_json TEXT NOT NULL
) STRICT;
CREATE TABLE study (
  study_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  spec_file TEXT NOT NULL,
  spec_text TEXT NOT NULL,
  overrides_json TEXT NOT NULL,
  spec_hash TEXT NOT NULL,
  space_hash TEXT NOT NULL,
  workload_hash TEXT NOT NULL,
  objective TEXT NOT NULL,
  objective_json TEXT NOT NULL,
  seed INTEGER NOT NULL,
  parent_study INTEGER REFERENCES study (study_id),
  until_us INTEGER,
  status INTEGER NOT NULL REFERENCES study_status (value),
  created_us INTEGER NOT NULL
, parent_record TEXT) STRICT;
CREATE TABLE study_host (
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  role INTEGER NOT NULL REFERENCES host_role (value),
  ordinal INTEGER NOT NULL,
  host_id INTEGER NOT NULL REFERENCES host (host_id),
  PRIMARY KEY (study_id, role, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact (
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  name TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (study_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE as_found (
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  setting TEXT NOT NULL,
  type INTEGER NOT NULL REFERENCES value_type (value),
  integer_value INTEGER,
  real_value REAL,
  text_value TEXT,
  PRIMARY KEY (study_id, setting),
  CHECK ((integer_value IS NOT NULL) = (type IN (2, 3))),
  CHECK ((real_value IS NOT NULL) = (type = 4)),
  CHECK ((text_value IS NOT NULL) = (type = 5))
) STRICT, WITHOUT ROWID;
CREATE TABLE parameter (
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  name TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  sets_json TEXT NOT NULL,
  type INTEGER REFERENCES parameter_type (value),
  low REAL,
  high REAL,
  step REAL,
  scale INTEGER REFERENCES parameter_scale (value),
  values_json TEXT,
  special_json TEXT,
  default_json TEXT,
  as_found_json TEXT,
  active_if TEXT,
  dropped_reason TEXT,
  PRIMARY KEY (study_id, name),
  CHECK (dropped_reason IS NOT NULL OR type IS NOT NULL AND scale IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE TABLE session (
  session_id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  boot_id TEXT NOT NULL,
  pid INTEGER NOT NULL,
  pid_start INTEGER NOT NULL,
  tool_version TEXT NOT NULL,
  argv_json TEXT NOT NULL,
  started_us INTEGER NOT NULL,
  heartbeat_us INTEGER NOT NULL,
  ended_us INTEGER,
  end_reason TEXT
) STRICT;
CREATE TABLE configuration (
  configuration_id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  hash TEXT NOT NULL,
  origin TEXT NOT NULL,
  parent INTEGER REFERENCES configuration (configuration_id),
  state INTEGER NOT NULL REFERENCES configuration_state (value),
  state_reason TEXT NOT NULL,
  created_us INTEGER NOT NULL,
  UNIQUE (study_id, hash)
) STRICT;
CREATE TABLE configuration_value (
  configuration_id INTEGER NOT NULL REFERENCES configuration (configuration_id),
  name TEXT NOT NULL,
  type INTEGER NOT NULL REFERENCES value_type (value),
  integer_value INTEGER,
  real_value REAL,
  text_value TEXT,
  PRIMARY KEY (configuration_id, name),
  CHECK ((integer_value IS NOT NULL) = (type IN (2, 3))),
  CHECK ((real_value IS NOT NULL) = (type = 4)),
  CHECK ((text_value IS NOT NULL) = (type = 5))
) STRICT, WITHOUT ROWID;
CREATE TABLE trial (
  trial_id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  configuration_id INTEGER NOT NULL REFERENCES configuration (configuration_id),
  session_id INTEGER REFERENCES session (session_id),
  purpose INTEGER NOT NULL REFERENCES trial_purpose (value),
  block INTEGER NOT NULL,
  position INTEGER NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  retry_of INTEGER REFERENCES trial (trial_id),
  state INTEGER NOT NULL REFERENCES trial_state (value),
  outcome INTEGER REFERENCES trial_outcome (value),
  suspect INTEGER NOT NULL CHECK (suspect IN (0, 1)),
  seed INTEGER NOT NULL,
  started_us INTEGER,
  ended_us INTEGER,
  measure_us INTEGER, imported_from TEXT, imported_trial INTEGER,
  CHECK ((outcome IS NOT NULL) = (state IN (5, 6)))
) STRICT;
CREATE UNIQUE INDEX trial_place ON trial (study_id, block, position, attempt);
CREATE UNIQUE INDEX trial_live ON trial (study_id) WHERE state IN (2, 3, 4);
CREATE INDEX trial_configuration ON trial (configuration_id, state);
CREATE TABLE trial_reason (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  seq INTEGER NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (trial_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE applied (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  seq INTEGER NOT NULL,
  host_id INTEGER REFERENCES host (host_id),
  setting TEXT NOT NULL,
  target TEXT NOT NULL,
  requested TEXT NOT NULL,
  before TEXT NOT NULL,
  effective TEXT NOT NULL,
  at_end TEXT NOT NULL,
  status INTEGER NOT NULL REFERENCES setting_status (value),
  errno INTEGER,
  PRIMARY KEY (trial_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE metric (
  metric_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  unit TEXT NOT NULL,
  kind INTEGER NOT NULL REFERENCES metric_kind (value),
  better INTEGER NOT NULL REFERENCES metric_better (value)
) STRICT;
CREATE TABLE measurement (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  metric_id INTEGER NOT NULL REFERENCES metric (metric_id),
  value REAL NOT NULL,
  PRIMARY KEY (trial_id, metric_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sample (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  metric_id INTEGER NOT NULL REFERENCES metric (metric_id),
  seq INTEGER NOT NULL,
  t_ms INTEGER NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (trial_id, metric_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE histogram (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  metric_id INTEGER NOT NULL REFERENCES metric (metric_id),
  codec TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (trial_id, metric_id)
) STRICT;
CREATE TABLE artifact (
  artifact_id INTEGER PRIMARY KEY,
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  kind TEXT NOT NULL,
  codec TEXT NOT NULL CHECK (codec = 'zstd'),
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX artifact_trial ON artifact (trial_id);
CREATE TABLE decision (
  decision_id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  at_us INTEGER NOT NULL,
  kind INTEGER NOT NULL REFERENCES decision_kind (value),
  configuration_id INTEGER REFERENCES configuration (configuration_id),
  versus INTEGER REFERENCES configuration (configuration_id),
  method TEXT NOT NULL,
  n INTEGER,
  effect REAL,
  low REAL,
  high REAL,
  p REAL,
  alpha REAL,
  inputs_json TEXT NOT NULL
) STRICT;
CREATE TABLE bundle (
  bundle_id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  configuration_id INTEGER NOT NULL REFERENCES configuration (configuration_id),
  format TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_us INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE VIEW v_trials AS
SELECT t.study_id, t.trial_id, t.block, t.position, t.attempt, t.configuration_id, c.origin,
       p.name AS purpose, s.name AS state, o.name AS outcome, t.suspect,
       (SELECT group_concat(reason, ' ') FROM (SELECT reason FROM trial_reason r WHERE r.trial_id = t.trial_id ORDER BY r.seq)) AS reasons,
       (SELECT m.value FROM measurement m JOIN metric k USING (metric_id)
         WHERE m.trial_id = t.trial_id AND k.name = y.objective) AS objective,
       (SELECT m.value FROM measurement m JOIN metric k USING (metric_id) WHERE m.trial_id = t.trial_id AND k.name = 'qps') AS qps,
       (SELECT m.value FROM measurement m JOIN metric k USING (metric_id)
         WHERE m.trial_id = t.trial_id AND k.name = 'lost_percent') AS lost_percent,
       strftime('%Y-%m-%d %H:%M:%S', t.started_us / 1000000, 'unixepoch') AS started_utc,
       (t.ended_us - t.started_us) / 1e6 AS seconds
  FROM trial t
  JOIN study y ON y.study_id = t.study_id
  JOIN configuration c ON c.configuration_id = t.configuration_id
  JOIN trial_purpose p ON p.value = t.purpose
  JOIN trial_state s ON s.value = t.state
  LEFT JOIN trial_outcome o ON o.value = t.outcome;
CREATE VIEW v_configurations AS
SELECT t.study_id, t.configuration_id, c.origin, s.name AS state, k.name AS metric, k.unit,
       count(*) AS n, avg(m.value) AS mean, min(m.value) AS minimum, max(m.value) AS maximum, max(m.value) - min(m.value) AS spread
  FROM trial t
  JOIN configuration c ON c.configuration_id = t.configuration_id
  JOIN configuration_state s ON s.value = c.state
  JOIN measurement m ON m.trial_id = t.trial_id
  JOIN metric k ON k.metric_id = m.metric_id
 WHERE t.outcome = 1
 GROUP BY t.configuration_id, k.metric_id;
CREATE VIEW v_best AS
SELECT rank() OVER (PARTITION BY v.study_id ORDER BY v.mean * iif(k.better = 2, -1, 1) DESC) AS place,
       v.study_id, v.configuration_id, v.origin, v.state, v.metric, v.unit, v.n, v.mean, v.minimum, v.maximum, v.spread,
       100.0 * (v.mean / b.mean - 1) AS versus_baseline_percent,
       (SELECT count(*) FROM trial t WHERE t.configuration_id = v.configuration_id AND t.outcome = 2) AS failed,
       (SELECT count(*) FROM trial t WHERE t.configuration_id = v.configuration_id AND t.outcome = 3) AS invalid,
       (SELECT count(DISTINCT t.trial_id) FROM trial t JOIN trial_reason r ON r.trial_id = t.trial_id
         WHERE t.configuration_id = v.configuration_id AND t.outcome = 1 AND r.reason = 'loss-above-limit') AS above_limit
  FROM v_configurations v
  JOIN study y ON y.study_id = v.study_id
  JOIN metric k ON k.name = v.metric
  LEFT JOIN v_configurations b ON b.configuration_id = 1 AND b.metric = v.metric
 WHERE v.metric = y.objective AND v.state NOT IN ('unstable', 'infeasible');
CREATE TABLE applied_file (
  trial_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  path TEXT NOT NULL,
  netns TEXT NOT NULL,
  before TEXT NOT NULL,
  effective TEXT NOT NULL,
  PRIMARY KEY (trial_id, seq, ordinal),
  FOREIGN KEY (trial_id, seq) REFERENCES applied (trial_id, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO study_status VALUES (1, 'new');
INSERT INTO study_status VALUES (2, 'running');
INSERT INTO study_status VALUES (3, 'paused');
INSERT INTO study_status VALUES (4, 'converged');
INSERT INTO study_status VALUES (5, 'exhausted');
INSERT INTO study_status VALUES (6, 'aborted');
INSERT INTO host_role VALUES (1, 'server');
INSERT INTO host_role VALUES (2, 'client');
INSERT INTO parameter_type VALUES (1, 'integer');
INSERT INTO parameter_type VALUES (2, 'real');
INSERT INTO parameter_type VALUES (3, 'bytes');
INSERT INTO parameter_type VALUES (4, 'duration');
INSERT INTO parameter_type VALUES (5, 'boolean');
INSERT INTO parameter_type VALUES (6, 'categorical');
INSERT INTO parameter_type VALUES (7, 'cpus');
INSERT INTO parameter_scale VALUES (1, 'linear');
INSERT INTO parameter_scale VALUES (2, 'log');
INSERT INTO value_type VALUES (1, 'as-found');
INSERT INTO value_type VALUES (2, 'boolean');
INSERT INTO value_type VALUES (3, 'integer');
INSERT INTO value_type VALUES (4, 'real');
INSERT INTO value_type VALUES (5, 'text');
INSERT INTO configuration_state VALUES (1, 'active');
INSERT INTO configuration_state VALUES (2, 'eliminated');
INSERT INTO configuration_state VALUES (3, 'unstable');
INSERT INTO configuration_state VALUES (4, 'infeasible');
INSERT INTO configuration_state VALUES (5, 'finalist');
INSERT INTO configuration_state VALUES (6, 'winner');
INSERT INTO trial_purpose VALUES (1, 'pilot');
INSERT INTO trial_purpose VALUES (2, 'baseline');
INSERT INTO trial_purpose VALUES (3, 'search');
INSERT INTO trial_purpose VALUES (4, 'confirm');
INSERT INTO trial_purpose VALUES (5, 'simplify');
INSERT INTO trial_purpose VALUES (6, 'manual');
INSERT INTO trial_purpose VALUES (7, 'profile');
INSERT INTO trial_state VALUES (1, 'planned');
INSERT INTO trial_state VALUES (2, 'applying');
INSERT INTO trial_state VALUES (3, 'warmup');
INSERT INTO trial_state VALUES (4, 'measuring');
INSERT INTO trial_state VALUES (5, 'done');
INSERT INTO trial_state VALUES (6, 'failed');
INSERT INTO trial_state VALUES (7, 'interrupted');
INSERT INTO trial_outcome VALUES (1, 'measured');
INSERT INTO trial_outcome VALUES (2, 'failed');
INSERT INTO trial_outcome VALUES (3, 'invalid');
INSERT INTO setting_status VALUES (1, 'ok');
INSERT INTO setting_status VALUES (2, 'same');
INSERT INTO setting_status VALUES (3, 'clamped');
INSERT INTO setting_status VALUES (4, 'refused');
INSERT INTO setting_status VALUES (5, 'absent');
INSERT INTO setting_status VALUES (6, 'eperm');
INSERT INTO setting_status VALUES (7, 'eacces');
INSERT INTO setting_status VALUES (8, 'einval');
INSERT INTO setting_status VALUES (9, 'eio');
INSERT INTO setting_status VALUES (10, 'enospc');
INSERT INTO setting_status VALUES (11, 'eoverflow');
INSERT INTO setting_status VALUES (12, 'drifted');
INSERT INTO metric_better VALUES (1, 'higher');
INSERT INTO metric_better VALUES (2, 'lower');
INSERT INTO metric_better VALUES (3, 'neither');
INSERT INTO metric_kind VALUES (1, 'documented');
INSERT INTO metric_kind VALUES (2, 'other');
INSERT INTO decision_kind VALUES (1, 'suggest');
INSERT INTO decision_kind VALUES (2, 'promote');
INSERT INTO decision_kind VALUES (3, 'eliminate');
INSERT INTO decision_kind VALUES (4, 'unstable');
INSERT INTO decision_kind VALUES (5, 'infeasible');
INSERT INTO decision_kind VALUES (6, 'drift');
INSERT INTO decision_kind VALUES (7, 'stop');
INSERT INTO decision_kind VALUES (8, 'winner');
INSERT INTO decision_kind VALUES (9, 'no_improvement');
INSERT INTO decision_kind VALUES (10, 'cannot_tell');
INSERT INTO decision_kind VALUES (11, 'pilot');
PRAGMA application_id = 1315271763;
PRAGMA user_version = 2;
