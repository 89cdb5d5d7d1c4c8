-- A study that the first released schema recorded (version 1); most raw output is left out. tests load it to see that it still opens.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('created_by','netsettle');
INSERT INTO meta VALUES('schema_notes','docs/database.md');
INSERT INTO meta VALUES('tool_version','0.1.0');
CREATE TABLE study_status (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO study_status VALUES(1,'new');
INSERT INTO study_status VALUES(2,'running');
INSERT INTO study_status VALUES(3,'paused');
INSERT INTO study_status VALUES(4,'converged');
INSERT INTO study_status VALUES(5,'exhausted');
INSERT INTO study_status VALUES(6,'aborted');
CREATE TABLE host_role (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO host_role VALUES(1,'server');
INSERT INTO host_role VALUES(2,'client');
CREATE TABLE parameter_type (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO parameter_type VALUES(1,'integer');
INSERT INTO parameter_type VALUES(2,'real');
INSERT INTO parameter_type VALUES(3,'bytes');
INSERT INTO parameter_type VALUES(4,'duration');
INSERT INTO parameter_type VALUES(5,'boolean');
INSERT INTO parameter_type VALUES(6,'categorical');
INSERT INTO parameter_type VALUES(7,'cpus');
CREATE TABLE parameter_scale (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO parameter_scale VALUES(1,'linear');
INSERT INTO parameter_scale VALUES(2,'log');
CREATE TABLE value_type (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO value_type VALUES(1,'as-found');
INSERT INTO value_type VALUES(2,'boolean');
INSERT INTO value_type VALUES(3,'integer');
INSERT INTO value_type VALUES(4,'real');
INSERT INTO value_type VALUES(5,'text');
CREATE TABLE configuration_state (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO configuration_state VALUES(1,'active');
INSERT INTO configuration_state VALUES(2,'eliminated');
INSERT INTO configuration_state VALUES(3,'unstable');
INSERT INTO configuration_state VALUES(4,'infeasible');
INSERT INTO configuration_state VALUES(5,'finalist');
INSERT INTO configuration_state VALUES(6,'winner');
CREATE TABLE trial_purpose (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO trial_purpose VALUES(1,'pilot');
INSERT INTO trial_purpose VALUES(2,'baseline');
INSERT INTO trial_purpose VALUES(3,'search');
INSERT INTO trial_purpose VALUES(4,'confirm');
INSERT INTO trial_purpose VALUES(5,'simplify');
INSERT INTO trial_purpose VALUES(6,'manual');
INSERT INTO trial_purpose VALUES(7,'profile');
CREATE TABLE trial_state (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO trial_state VALUES(1,'planned');
INSERT INTO trial_state VALUES(2,'applying');
INSERT INTO trial_state VALUES(3,'warmup');
INSERT INTO trial_state VALUES(4,'measuring');
INSERT INTO trial_state VALUES(5,'done');
INSERT INTO trial_state VALUES(6,'failed');
INSERT INTO trial_state VALUES(7,'interrupted');
CREATE TABLE trial_outcome (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO trial_outcome VALUES(1,'measured');
INSERT INTO trial_outcome VALUES(2,'failed');
INSERT INTO trial_outcome VALUES(3,'invalid');
CREATE TABLE setting_status (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO setting_status VALUES(1,'ok');
INSERT INTO setting_status VALUES(2,'same');
INSERT INTO setting_status VALUES(3,'clamped');
INSERT INTO setting_status VALUES(4,'refused');
INSERT INTO setting_status VALUES(5,'absent');
INSERT INTO setting_status VALUES(6,'eperm');
INSERT INTO setting_status VALUES(7,'eacces');
INSERT INTO setting_status VALUES(8,'einval');
INSERT INTO setting_status VALUES(9,'eio');
INSERT INTO setting_status VALUES(10,'enospc');
INSERT INTO setting_status VALUES(11,'eoverflow');
INSERT INTO setting_status VALUES(12,'drifted');
CREATE TABLE metric_better (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO metric_better VALUES(1,'higher');
INSERT INTO metric_better VALUES(2,'lower');
INSERT INTO metric_better VALUES(3,'neither');
CREATE TABLE metric_kind (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO metric_kind VALUES(1,'documented');
INSERT INTO metric_kind VALUES(2,'other');
CREATE TABLE decision_kind (value INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO decision_kind VALUES(1,'suggest');
INSERT INTO decision_kind VALUES(2,'promote');
INSERT INTO decision_kind VALUES(3,'eliminate');
INSERT INTO decision_kind VALUES(4,'unstable');
INSERT INTO decision_kind VALUES(5,'infeasible');
INSERT INTO decision_kind VALUES(6,'drift');
INSERT INTO decision_kind VALUES(7,'stop');
INSERT INTO decision_kind VALUES(8,'winner');
INSERT INTO decision_kind VALUES(9,'no_improvement');
INSERT INTO decision_kind VALUES(10,'cannot_tell');
INSERT INTO decision_kind VALUES(11,'pilot');
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
INSERT INTO host VALUES(1,'30c19c3d3d7da4bcbd8ca56a9152dd4fd07201e591ff683b7632b2c8b5e37a7e','6.1.0-1-amd64','AMD EPYC',NULL,2,2,1,25276059648,'{"architecture":"x86_64","boot_id":"00000000-0000-4000-8000-000000000001","boot_line_sha256":"3dd4bfc8133a3340d98f9d51626fd2cbac2c7344b44019bcf57b265b1a1dbe8a","boot_parameters":"mitigations=auto,no_guest_host,no_guest_guest swiotlb=noforce psi=1","clocksource":"tsc","container":"docker","cores":"2","cpu_family":"family 25 model 17 stepping 1","cpu_microcode":"0x1000065","cpu_model":"AMD EPYC","cpus_allowed":"0-1","cpus_online":"0-1","hugepages":"0 of 2048 kB","idle_driver":"haltpoll","idle_governor":"haltpoll","idle_states":"POLL, haltpoll idle","irqbalance":"not running","kernel_config_sha256":"f4775dd49d2a1ac19e440256767bf59a5b7e405c6ae731f0b68a420c5eb0e166","kernel_preemption":"PREEMPT_DYNAMIC","kernel_release":"6.1.0-1-amd64","kernel_tainted":"0","kernel_version":"#1 SMP PREEMPT_DYNAMIC @0","limit.locked_memory":"8388608","limit.open_files":"20000","limit.processes":"96364","limit.realtime_priority":"0","load_average":"3.62","load_cpus":"1","load_version":"Version 2.10.0","mitigation.gather_data_sampling":"Not affected","mitigation.ghostwrite":"Not affected","mitigation.indirect_target_selection":"Not affected","mitigation.itlb_multihit":"Not affected","mitigation.l1tf":"Not affected","mitigation.mds":"Not affected","mitigation.meltdown":"Not affected","mitigation.mmio_stale_data":"Not affected","mitigation.old_microcode":"Not affected","mitigation.reg_file_data_sampling":"Not affected","mitigation.retbleed":"Not affected","mitigation.spec_rstack_overflow":"Vulnerable: Safe RET, no microcode","mitigation.spec_store_bypass":"Vulnerable","mitigation.spectre_v1":"Mitigation: usercopy/swapgs barriers and __user pointer sanitization","mitigation.spectre_v2":"Mitigation: Retpolines; STIBP: disabled; RSB filling; PBRSB-eIBRS: Not affected; BHI: Not affected","mitigation.srbds":"Not affected","mitigation.tsa":"Not affected","mitigation.tsx_async_abort":"Not affected","mitigation.vmscape":"Not affected","nic.eth0.coalescing_sha256":"7d6a5e1ecbf7469021fc6066a1bdcfdd5e6179293dd18a1d3117caccb1d6dc36","nic.eth0.device":"0x0001","nic.eth0.driver":"virtio_net","nic.eth0.driver_version":"1.0.0","nic.eth0.duplex":"unknown","nic.eth0.features_sha256":"3593fecc94e9832cb0ac3ea25ca1e9597689815bbd133dc4dffcb4f48869ff6e","nic.eth0.gro_flush_timeout":"0","nic.eth0.indirection_sha256":"a11b92847f0ae1a7ddd70efd60cb7f8e2a686e0b5af800ad66b3e54dcd39d0e7","nic.eth0.interrupts":"37 on 0, 38 on 1, 39 on 0","nic.eth0.mtu":"1400","nic.eth0.napi_defer_hard_irqs":"0","nic.eth0.queues":"1 receive, 1 transmit","nic.eth0.rings_sha256":"1f6059b1b9e200a7f8e701b67dfae6c04d728d00028a8ef752200f8711c5e59c","nic.eth0.threaded":"0","nic.eth0.tx_queue_len":"1000","nic.eth0.vendor":"0x1af4","node_distances":"10","nodes":"1","packages":"1","query_file":"queries.txt","query_file_sha256":"e4b4f5413903fd655539b3ccfb91a5712b0a89d1ea9aa1470c956c50fab34ca1","queueing_disciplines":"lo noqueue, eth0 pfifo_fast","ram_bytes":"25276059648","rps_cpus":"0-1","server_cpus":"0-1","server_sha256":"d5b6b181806ae7132dcb8e402138c1bcd8a34a7107c5b5b9440354ead3d18dc9","smt":"notsupported","sysctl.kernel.numa_balancing":"0","sysctl.kernel.sched_rt_runtime_us":"950000","sysctl.kernel.timer_migration":"1","sysctl.net.core.busy_poll":"0","sysctl.net.core.busy_read":"0","sysctl.net.core.default_qdisc":"pfifo_fast","sysctl.net.core.dev_weight":"64","sysctl.net.core.flow_limit_cpu_bitmap":"0","sysctl.net.core.netdev_budget":"300","sysctl.net.core.netdev_budget_usecs":"8000","sysctl.net.core.netdev_max_backlog":"1000","sysctl.net.core.netdev_tstamp_prequeue":"1","sysctl.net.core.optmem_max":"131072","sysctl.net.core.rmem_default":"212992","sysctl.net.core.rmem_max":"4194304","sysctl.net.core.rps_sock_flow_entries":"0","sysctl.net.core.wmem_default":"212992","sysctl.net.core.wmem_max":"4194304","sysctl.net.ipv4.ip_local_port_range":"32768 60999","sysctl.net.ipv4.udp_early_demux":"1","sysctl.net.ipv4.udp_mem":"575799 767732 1151598","sysctl.net.ipv4.udp_rmem_min":"4096","sysctl.net.ipv4.udp_wmem_min":"4096","sysctl.net.netfilter.nf_conntrack_max":"262144","sysctl.vm.overcommit_memory":"0","sysctl.vm.swappiness":"60","sysctl_net_sha256":"a4c8204126c2084f51abd840125e7aab99dd96869aeba8d974327e1fad17bcce","transparent_hugepages":"madvise","uptime_s":"12899","virtual_machine":"yes","xdp_interfaces":"none"}');
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
) STRICT;
INSERT INTO study VALUES(1,'first','/srv/study/first.toml',replace('schema = 1\n[study]\nname = "first"\nseed = 7\n[rig]\nkind = "loopback"\n[server]\nport = 15390\n[load]\nqueries = "queries.txt"\nclients = 2\noutstanding = 20\n[trial]\nwarmup = "100ms"\nmeasure = "300ms"\nsettle = "10ms"\n[parameters.processes]\nsets = "server.processes"\ntype = "integer"\nrange = [1, 2]\n[search]\nstrategy = "sweep"\nrepeats = 3\n[budget]\ntrials = 40\n','\n',char(10)),'[]','73fd11bf73d0700bb7a77a62709e300dc2094f63350c8371a959a3690994d247','1a1cad7bd653e1405b6712389dbceafd0cb69867412a5779bdbb8f14a1c3aa76','aa9c949fc8d4c97a22aa5fc5669dc0ff6a49586889b318deb861ada88af649bc','qps','{"maximize":"qps","min_effect":0.01,"subject_to":[]}',7,NULL,NULL,4,1796071484512947);
CREATE TABLE study_host (
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  role INTEGER NOT NULL REFERENCES host_role (value),
  ordinal INTEGER NOT NULL,
  host_id INTEGER NOT NULL REFERENCES host (host_id),
  PRIMARY KEY (study_id, role, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO study_host VALUES(1,1,0,1);
CREATE TABLE fact (
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  name TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (study_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO fact VALUES(1,'cores',2.0);
INSERT INTO fact VALUES(1,'cpus',2.0);
INSERT INTO fact VALUES(1,'node_cpus',2.0);
INSERT INTO fact VALUES(1,'nodes',1.0);
INSERT INTO fact VALUES(1,'queues',1.0);
INSERT INTO fact VALUES(1,'ram',25276059648.0);
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
INSERT INTO as_found VALUES(1,'load.clients',3,2,NULL,NULL);
INSERT INTO as_found VALUES(1,'load.cpus',5,NULL,NULL,'auto');
INSERT INTO as_found VALUES(1,'load.instances',3,1,NULL,NULL);
INSERT INTO as_found VALUES(1,'load.outstanding',3,20,NULL,NULL);
INSERT INTO as_found VALUES(1,'load.threads',3,1,NULL,NULL);
INSERT INTO as_found VALUES(1,'load.timeout',3,1000000,NULL,NULL);
INSERT INTO as_found VALUES(1,'server.batch',3,32,NULL,NULL);
INSERT INTO as_found VALUES(1,'server.busy_poll',3,0,NULL,NULL);
INSERT INTO as_found VALUES(1,'server.cores',5,NULL,NULL,'all');
INSERT INTO as_found VALUES(1,'server.io_model',5,NULL,NULL,'blocking');
INSERT INTO as_found VALUES(1,'server.placement',5,NULL,NULL,'spread');
INSERT INTO as_found VALUES(1,'server.processes',3,1,NULL,NULL);
INSERT INTO as_found VALUES(1,'server.receive_buffer',3,0,NULL,NULL);
INSERT INTO as_found VALUES(1,'server.send_buffer',3,0,NULL,NULL);
INSERT INTO as_found VALUES(1,'server.sockets',5,NULL,NULL,'shared');
INSERT INTO as_found VALUES(1,'server.threads',3,1,NULL,NULL);
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
INSERT INTO parameter VALUES(1,'processes',0,'["server.processes"]',1,1.0,2.0,NULL,1,'[]','[]',NULL,'1',NULL,NULL);
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
INSERT INTO session VALUES(1,1,'00000000-0000-4000-8000-000000000001',4711,471100,'0.1.0','["netsettle","run","first.toml"]',1796071484562125,1796071505621889,1796071505621889,'converged');
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
INSERT INTO configuration VALUES(1,1,'7199f5476912ad8ab10fb78758d594bb4a27012db154fd46a7918522513ce0c6','baseline',NULL,1,'',1796071484567213);
INSERT INTO configuration VALUES(2,1,'3f24ddc5b6995f8e2caa4c81ec91e0673a06be42c6fe2b97f728e75932b2aa82','sweep',NULL,1,'',1796071489882668);
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
INSERT INTO configuration_value VALUES(1,'processes',1,NULL,NULL,NULL);
INSERT INTO configuration_value VALUES(2,'processes',3,2,NULL,NULL);
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
  measure_us INTEGER,
  CHECK ((outcome IS NOT NULL) = (state IN (5, 6)))
) STRICT;
INSERT INTO trial VALUES(1,1,1,1,1,1,0,1,NULL,5,1,0,-2155078555897872517,1796071484579856,1796071485475383,300000);
INSERT INTO trial VALUES(2,1,1,1,1,1,1,1,NULL,5,1,1,3116088306094464709,1796071485478111,1796071486358634,300000);
INSERT INTO trial VALUES(3,1,1,1,1,1,2,1,NULL,5,1,1,1554326758672091154,1796071486369305,1796071487235524,300000);
INSERT INTO trial VALUES(4,1,1,1,1,2,0,1,NULL,5,1,0,8596772955963043808,1796071487241145,1796071488109642,300000);
INSERT INTO trial VALUES(5,1,1,1,1,2,1,1,NULL,5,1,1,-7439807896123073558,1796071488112074,1796071488979080,300000);
INSERT INTO trial VALUES(6,1,1,1,1,2,2,1,NULL,5,1,0,5230163936690653122,1796071488990645,1796071489869625,300000);
INSERT INTO trial VALUES(7,1,1,1,3,3,0,1,NULL,5,1,0,1772742767941634305,1796071489894542,1796071490785432,300000);
INSERT INTO trial VALUES(8,1,2,1,3,3,1,1,NULL,5,1,0,6970750404896210891,1796071490790724,1796071491665612,300000);
INSERT INTO trial VALUES(9,1,1,1,3,4,0,1,NULL,5,1,0,5064044520736205675,1796071491678671,1796071492548437,300000);
INSERT INTO trial VALUES(10,1,2,1,3,4,1,1,NULL,5,1,0,6218097307073992231,1796071492558719,1796071493430177,300000);
INSERT INTO trial VALUES(11,1,2,1,3,5,0,1,NULL,5,1,1,2382422811979234888,1796071493438808,1796071494307489,300000);
INSERT INTO trial VALUES(12,1,1,1,3,5,1,1,NULL,5,1,1,-5346774850527410803,1796071494310099,1796071495197423,300000);
INSERT INTO trial VALUES(13,1,2,1,4,6,0,1,NULL,5,1,0,9075777245428543246,1796071495210573,1796071496094902,300000);
INSERT INTO trial VALUES(14,1,1,1,4,6,1,1,NULL,5,1,0,-217664464576192120,1796071496097379,1796071496959206,300000);
INSERT INTO trial VALUES(15,1,1,1,4,7,0,1,NULL,5,1,1,-4642857263852163079,1796071496966675,1796071497811948,300000);
INSERT INTO trial VALUES(16,1,2,1,4,7,1,1,NULL,5,1,0,-3919974631152913315,1796071497814365,1796071498666724,300000);
INSERT INTO trial VALUES(17,1,2,1,4,8,0,1,NULL,5,1,0,-3053644588276140305,1796071498674647,1796071499538405,300000);
INSERT INTO trial VALUES(18,1,1,1,4,8,1,1,NULL,5,1,1,-8065468375875456905,1796071499540979,1796071500405979,300000);
INSERT INTO trial VALUES(19,1,2,1,4,9,0,1,NULL,5,1,1,-7989406135907025369,1796071500426540,1796071501295006,300000);
INSERT INTO trial VALUES(20,1,1,1,4,9,1,1,NULL,5,1,1,-2846456963344146457,1796071501297450,1796071502145783,300000);
INSERT INTO trial VALUES(21,1,1,1,4,10,0,1,NULL,5,1,1,-4280992992338107893,1796071502154639,1796071503005925,300000);
INSERT INTO trial VALUES(22,1,2,1,4,10,1,1,NULL,5,1,0,3787604136717822805,1796071503010669,1796071503871571,300000);
INSERT INTO trial VALUES(23,1,1,1,4,11,0,1,NULL,5,1,0,6406235351745472515,1796071503878533,1796071504739499,300000);
INSERT INTO trial VALUES(24,1,2,1,4,11,1,1,NULL,5,1,1,878702185519770766,1796071504742022,1796071505606396,300000);
CREATE TABLE trial_reason (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  seq INTEGER NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (trial_id, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO trial_reason VALUES(2,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(3,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(5,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(11,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(12,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(15,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(18,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(19,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(20,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(21,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
INSERT INTO trial_reason VALUES(24,0,'short-series','the series covers 0.2 s of the 0.3 s that were to be measured');
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
INSERT INTO applied VALUES(8,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(10,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(11,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(13,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(16,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(17,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(19,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(22,0,1,'server.processes','command line','2','1','2','2',1,NULL);
INSERT INTO applied VALUES(24,0,1,'server.processes','command line','2','1','2','2',1,NULL);
CREATE TABLE metric (
  metric_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  unit TEXT NOT NULL,
  kind INTEGER NOT NULL REFERENCES metric_kind (value),
  better INTEGER NOT NULL REFERENCES metric_better (value)
) STRICT;
INSERT INTO metric VALUES(1,'backlog_drops','packets',1,2);
INSERT INTO metric VALUES(2,'burst_lost','queries',1,2);
INSERT INTO metric VALUES(3,'completed','queries',1,3);
INSERT INTO metric VALUES(4,'imbalance','ratio',1,2);
INSERT INTO metric VALUES(5,'latency_avg_us','us',1,2);
INSERT INTO metric VALUES(6,'latency_max_us','us',1,2);
INSERT INTO metric VALUES(7,'lost','queries',1,2);
INSERT INTO metric VALUES(8,'lost_percent','%',1,2);
INSERT INTO metric VALUES(9,'memory_available_percent','%',1,3);
INSERT INTO metric VALUES(10,'qps','queries/s',1,1);
INSERT INTO metric VALUES(11,'qps_per_cpu_second','queries/CPU s',1,1);
INSERT INTO metric VALUES(12,'rcvbuf_errors','datagrams',1,2);
INSERT INTO metric VALUES(13,'sent','queries',1,3);
INSERT INTO metric VALUES(14,'server_answered','queries',1,3);
INSERT INTO metric VALUES(15,'server_cpu_s','s',1,3);
INSERT INTO metric VALUES(16,'server_received','queries',1,3);
INSERT INTO metric VALUES(17,'steal_percent','%',1,2);
INSERT INTO metric VALUES(18,'time_squeeze','times',1,2);
INSERT INTO metric VALUES(19,'unexplained_percent','%',1,2);
INSERT INTO metric VALUES(20,'window_lost_percent','%',1,2);
CREATE TABLE measurement (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  metric_id INTEGER NOT NULL REFERENCES metric (metric_id),
  value REAL NOT NULL,
  PRIMARY KEY (trial_id, metric_id)
) STRICT, WITHOUT ROWID;
INSERT INTO measurement VALUES(1,1,0.0);
INSERT INTO measurement VALUES(1,2,0.0);
INSERT INTO measurement VALUES(1,3,46243.0);
INSERT INTO measurement VALUES(1,4,1.0);
INSERT INTO measurement VALUES(1,5,239.0);
INSERT INTO measurement VALUES(1,6,5621.0);
INSERT INTO measurement VALUES(1,7,0.0);
INSERT INTO measurement VALUES(1,8,0.0);
INSERT INTO measurement VALUES(1,9,96.051167793161241091);
INSERT INTO measurement VALUES(1,10,56316.118989564209187);
INSERT INTO measurement VALUES(1,11,155420.37071268929867);
INSERT INTO measurement VALUES(1,12,0.0);
INSERT INTO measurement VALUES(1,13,46243.0);
INSERT INTO measurement VALUES(1,14,46244.0);
INSERT INTO measurement VALUES(1,15,0.29753499999999993841);
INSERT INTO measurement VALUES(1,16,46244.0);
INSERT INTO measurement VALUES(1,17,0.0);
INSERT INTO measurement VALUES(1,18,0.0);
INSERT INTO measurement VALUES(1,19,0.0);
INSERT INTO measurement VALUES(1,20,0.0);
INSERT INTO measurement VALUES(2,1,0.0);
INSERT INTO measurement VALUES(2,2,0.0);
INSERT INTO measurement VALUES(2,3,46362.0);
INSERT INTO measurement VALUES(2,4,1.0);
INSERT INTO measurement VALUES(2,5,252.0);
INSERT INTO measurement VALUES(2,6,6585.0);
INSERT INTO measurement VALUES(2,7,0.0);
INSERT INTO measurement VALUES(2,8,0.0);
INSERT INTO measurement VALUES(2,9,96.051702560058785703);
INSERT INTO measurement VALUES(2,10,61879.346756999999341);
INSERT INTO measurement VALUES(2,11,153830.3294136384211);
INSERT INTO measurement VALUES(2,12,0.0);
INSERT INTO measurement VALUES(2,13,46362.0);
INSERT INTO measurement VALUES(2,14,46363.0);
INSERT INTO measurement VALUES(2,15,0.30138399999999998524);
INSERT INTO measurement VALUES(2,16,46363.0);
INSERT INTO measurement VALUES(2,17,0.0);
INSERT INTO measurement VALUES(2,18,0.0);
INSERT INTO measurement VALUES(2,19,0.0);
INSERT INTO measurement VALUES(2,20,0.0);
INSERT INTO measurement VALUES(3,1,0.0);
INSERT INTO measurement VALUES(3,2,0.0);
INSERT INTO measurement VALUES(3,3,38603.0);
INSERT INTO measurement VALUES(3,4,1.0);
INSERT INTO measurement VALUES(3,5,295.0);
INSERT INTO measurement VALUES(3,6,9237.0);
INSERT INTO measurement VALUES(3,7,0.0);
INSERT INTO measurement VALUES(3,8,0.0);
INSERT INTO measurement VALUES(3,9,96.222811762214121248);
INSERT INTO measurement VALUES(3,10,45984.640182000002823);
INSERT INTO measurement VALUES(3,11,150220.25403150491183);
INSERT INTO measurement VALUES(3,12,0.0);
INSERT INTO measurement VALUES(3,13,38603.0);
INSERT INTO measurement VALUES(3,14,38604.0);
INSERT INTO measurement VALUES(3,15,0.25697599999999998221);
INSERT INTO measurement VALUES(3,16,38604.0);
INSERT INTO measurement VALUES(3,17,0.59171597633136097105);
INSERT INTO measurement VALUES(3,18,0.0);
INSERT INTO measurement VALUES(3,19,0.0);
INSERT INTO measurement VALUES(3,20,0.0);
INSERT INTO measurement VALUES(4,1,0.0);
INSERT INTO measurement VALUES(4,2,0.0);
INSERT INTO measurement VALUES(4,3,50922.0);
INSERT INTO measurement VALUES(4,4,1.0);
INSERT INTO measurement VALUES(4,5,206.0);
INSERT INTO measurement VALUES(4,6,7345.0);
INSERT INTO measurement VALUES(4,7,0.0);
INSERT INTO measurement VALUES(4,8,0.0);
INSERT INTO measurement VALUES(4,9,96.220121722668920938);
INSERT INTO measurement VALUES(4,10,53069.542614627134751);
INSERT INTO measurement VALUES(4,11,152849.60873597860336);
INSERT INTO measurement VALUES(4,12,0.0);
INSERT INTO measurement VALUES(4,13,50922.0);
INSERT INTO measurement VALUES(4,14,50923.0);
INSERT INTO measurement VALUES(4,15,0.33315099999999997493);
INSERT INTO measurement VALUES(4,16,50923.0);
INSERT INTO measurement VALUES(4,17,0.0);
INSERT INTO measurement VALUES(4,18,0.0);
INSERT INTO measurement VALUES(4,19,0.0);
INSERT INTO measurement VALUES(4,20,0.0);
INSERT INTO measurement VALUES(5,1,0.0);
INSERT INTO measurement VALUES(5,2,0.0);
INSERT INTO measurement VALUES(5,3,53545.0);
INSERT INTO measurement VALUES(5,4,1.0);
INSERT INTO measurement VALUES(5,5,175.0);
INSERT INTO measurement VALUES(5,6,8359.0);
INSERT INTO measurement VALUES(5,7,0.0);
INSERT INTO measurement VALUES(5,8,0.0);
INSERT INTO measurement VALUES(5,9,96.220137927726412385);
INSERT INTO measurement VALUES(5,10,68932.804745000001277);
INSERT INTO measurement VALUES(5,11,145068.30090327336802);
INSERT INTO measurement VALUES(5,12,0.0);
INSERT INTO measurement VALUES(5,13,53545.0);
INSERT INTO measurement VALUES(5,14,53546.0);
INSERT INTO measurement VALUES(5,15,0.36910199999999993014);
INSERT INTO measurement VALUES(5,16,53546.0);
INSERT INTO measurement VALUES(5,17,0.0);
INSERT INTO measurement VALUES(5,18,0.0);
INSERT INTO measurement VALUES(5,19,0.0);
INSERT INTO measurement VALUES(5,20,0.0);
INSERT INTO measurement VALUES(6,1,0.0);
INSERT INTO measurement VALUES(6,2,0.0);
INSERT INTO measurement VALUES(6,3,56269.0);
INSERT INTO measurement VALUES(6,4,1.0);
INSERT INTO measurement VALUES(6,5,172.0);
INSERT INTO measurement VALUES(6,6,5206.0);
INSERT INTO measurement VALUES(6,7,0.0);
INSERT INTO measurement VALUES(6,8,0.0);
INSERT INTO measurement VALUES(6,9,96.221353307039009907);
INSERT INTO measurement VALUES(6,10,69526.514815284579528);
INSERT INTO measurement VALUES(6,11,150673.45026107915327);
INSERT INTO measurement VALUES(6,12,0.0);
INSERT INTO measurement VALUES(6,13,56269.0);
INSERT INTO measurement VALUES(6,14,56270.0);
INSERT INTO measurement VALUES(6,15,0.37344999999999994866);
INSERT INTO measurement VALUES(6,16,56270.0);
INSERT INTO measurement VALUES(6,17,0.0);
INSERT INTO measurement VALUES(6,18,0.0);
INSERT INTO measurement VALUES(6,19,0.0);
INSERT INTO measurement VALUES(6,20,0.0);
INSERT INTO measurement VALUES(7,1,0.0);
INSERT INTO measurement VALUES(7,2,0.0);
INSERT INTO measurement VALUES(7,3,59932.0);
INSERT INTO measurement VALUES(7,4,1.0);
INSERT INTO measurement VALUES(7,5,156.0);
INSERT INTO measurement VALUES(7,6,5186.0);
INSERT INTO measurement VALUES(7,7,0.0);
INSERT INTO measurement VALUES(7,8,0.0);
INSERT INTO measurement VALUES(7,9,96.491329565009266392);
INSERT INTO measurement VALUES(7,10,77437.960335543655674);
INSERT INTO measurement VALUES(7,11,152166.51686648488975);
INSERT INTO measurement VALUES(7,12,0.0);
INSERT INTO measurement VALUES(7,13,59932.0);
INSERT INTO measurement VALUES(7,14,59933.0);
INSERT INTO measurement VALUES(7,15,0.39385799999999998588);
INSERT INTO measurement VALUES(7,16,59933.0);
INSERT INTO measurement VALUES(7,17,0.0);
INSERT INTO measurement VALUES(7,18,0.0);
INSERT INTO measurement VALUES(7,19,0.0);
INSERT INTO measurement VALUES(7,20,0.0);
INSERT INTO measurement VALUES(8,1,0.0);
INSERT INTO measurement VALUES(8,2,0.0);
INSERT INTO measurement VALUES(8,3,82104.0);
INSERT INTO measurement VALUES(8,4,1.4629072529078619435);
INSERT INTO measurement VALUES(8,5,118.0);
INSERT INTO measurement VALUES(8,6,5015.0);
INSERT INTO measurement VALUES(8,7,0.0);
INSERT INTO measurement VALUES(8,8,0.0);
INSERT INTO measurement VALUES(8,9,96.139955303210399509);
INSERT INTO measurement VALUES(8,10,102497.66429126361618);
INSERT INTO measurement VALUES(8,11,178136.10584370783181);
INSERT INTO measurement VALUES(8,12,0.0);
INSERT INTO measurement VALUES(8,13,82104.0);
INSERT INTO measurement VALUES(8,14,82105.0);
INSERT INTO measurement VALUES(8,15,0.46090599999999998237);
INSERT INTO measurement VALUES(8,16,82105.0);
INSERT INTO measurement VALUES(8,17,0.0);
INSERT INTO measurement VALUES(8,18,0.0);
INSERT INTO measurement VALUES(8,19,0.0);
INSERT INTO measurement VALUES(8,20,0.0);
INSERT INTO measurement VALUES(9,1,0.0);
INSERT INTO measurement VALUES(9,2,0.0);
INSERT INTO measurement VALUES(9,3,45275.0);
INSERT INTO measurement VALUES(9,4,1.0);
INSERT INTO measurement VALUES(9,5,231.0);
INSERT INTO measurement VALUES(9,6,11797.0);
INSERT INTO measurement VALUES(9,7,0.0);
INSERT INTO measurement VALUES(9,8,0.0);
INSERT INTO measurement VALUES(9,9,96.059383757314350301);
INSERT INTO measurement VALUES(9,10,56800.998091838278926);
INSERT INTO measurement VALUES(9,11,149200.36513308575377);
INSERT INTO measurement VALUES(9,12,0.0);
INSERT INTO measurement VALUES(9,13,45275.0);
INSERT INTO measurement VALUES(9,14,45276.0);
INSERT INTO measurement VALUES(9,15,0.30345099999999997075);
INSERT INTO measurement VALUES(9,16,45276.0);
INSERT INTO measurement VALUES(9,17,0.0);
INSERT INTO measurement VALUES(9,18,0.0);
INSERT INTO measurement VALUES(9,19,0.0);
INSERT INTO measurement VALUES(9,20,0.0);
INSERT INTO measurement VALUES(10,1,0.0);
INSERT INTO measurement VALUES(10,2,0.0);
INSERT INTO measurement VALUES(10,3,79608.0);
INSERT INTO measurement VALUES(10,4,1.4705623736009747482);
INSERT INTO measurement VALUES(10,5,121.0);
INSERT INTO measurement VALUES(10,6,693.0);
INSERT INTO measurement VALUES(10,7,0.0);
INSERT INTO measurement VALUES(10,8,0.0);
INSERT INTO measurement VALUES(10,9,95.958798965404312752);
INSERT INTO measurement VALUES(10,10,100175.13985108464839);
INSERT INTO measurement VALUES(10,11,171224.30280426901299);
INSERT INTO measurement VALUES(10,12,0.0);
INSERT INTO measurement VALUES(10,13,79608.0);
INSERT INTO measurement VALUES(10,14,79609.0);
INSERT INTO measurement VALUES(10,15,0.46493399999999995841);
INSERT INTO measurement VALUES(10,16,79609.0);
INSERT INTO measurement VALUES(10,17,0.0);
INSERT INTO measurement VALUES(10,18,0.0);
INSERT INTO measurement VALUES(10,19,0.0);
INSERT INTO measurement VALUES(10,20,0.0);
INSERT INTO measurement VALUES(11,1,0.0);
INSERT INTO measurement VALUES(11,2,0.0);
INSERT INTO measurement VALUES(11,3,80340.0);
INSERT INTO measurement VALUES(11,4,1.461694527078328587);
INSERT INTO measurement VALUES(11,5,121.0);
INSERT INTO measurement VALUES(11,6,6848.0);
INSERT INTO measurement VALUES(11,7,0.0);
INSERT INTO measurement VALUES(11,8,0.0);
INSERT INTO measurement VALUES(11,9,95.903167003002636192);
INSERT INTO measurement VALUES(11,10,100213.20897000000696);
INSERT INTO measurement VALUES(11,11,175892.98420378542505);
INSERT INTO measurement VALUES(11,12,0.0);
INSERT INTO measurement VALUES(11,13,80340.0);
INSERT INTO measurement VALUES(11,14,80341.0);
INSERT INTO measurement VALUES(11,15,0.45675499999999991107);
INSERT INTO measurement VALUES(11,16,80341.0);
INSERT INTO measurement VALUES(11,17,0.0);
INSERT INTO measurement VALUES(11,18,0.0);
INSERT INTO measurement VALUES(11,19,0.0);
INSERT INTO measurement VALUES(11,20,0.0);
INSERT INTO measurement VALUES(12,1,0.0);
INSERT INTO measurement VALUES(12,2,0.0);
INSERT INTO measurement VALUES(12,3,53190.0);
INSERT INTO measurement VALUES(12,4,1.0);
INSERT INTO measurement VALUES(12,5,181.0);
INSERT INTO measurement VALUES(12,6,5944.0);
INSERT INTO measurement VALUES(12,7,0.0);
INSERT INTO measurement VALUES(12,8,0.0);
INSERT INTO measurement VALUES(12,9,95.800183862582414919);
INSERT INTO measurement VALUES(12,10,77475.759179999993649);
INSERT INTO measurement VALUES(12,11,148004.89732316767913);
INSERT INTO measurement VALUES(12,12,0.0);
INSERT INTO measurement VALUES(12,13,53190.0);
INSERT INTO measurement VALUES(12,14,53191.0);
INSERT INTO measurement VALUES(12,15,0.35937999999999997724);
INSERT INTO measurement VALUES(12,16,53191.0);
INSERT INTO measurement VALUES(12,17,0.5952380952380952328);
INSERT INTO measurement VALUES(12,18,0.0);
INSERT INTO measurement VALUES(12,19,0.0);
INSERT INTO measurement VALUES(12,20,0.0);
INSERT INTO measurement VALUES(13,1,0.0);
INSERT INTO measurement VALUES(13,2,0.0);
INSERT INTO measurement VALUES(13,3,81266.0);
INSERT INTO measurement VALUES(13,4,1.4374100188268301714);
INSERT INTO measurement VALUES(13,5,116.0);
INSERT INTO measurement VALUES(13,6,565.0);
INSERT INTO measurement VALUES(13,7,0.0);
INSERT INTO measurement VALUES(13,8,0.0);
INSERT INTO measurement VALUES(13,9,95.736886907982665208);
INSERT INTO measurement VALUES(13,10,102976.37025754727074);
INSERT INTO measurement VALUES(13,11,174491.65825692997895);
INSERT INTO measurement VALUES(13,12,0.0);
INSERT INTO measurement VALUES(13,13,81266.0);
INSERT INTO measurement VALUES(13,14,81267.0);
INSERT INTO measurement VALUES(13,15,0.46572999999999997733);
INSERT INTO measurement VALUES(13,16,81267.0);
INSERT INTO measurement VALUES(13,17,0.0);
INSERT INTO measurement VALUES(13,18,0.0);
INSERT INTO measurement VALUES(13,19,0.0);
INSERT INTO measurement VALUES(13,20,0.0);
INSERT INTO measurement VALUES(14,1,0.0);
INSERT INTO measurement VALUES(14,2,0.0);
INSERT INTO measurement VALUES(14,3,53467.0);
INSERT INTO measurement VALUES(14,4,1.0);
INSERT INTO measurement VALUES(14,5,177.0);
INSERT INTO measurement VALUES(14,6,5783.0);
INSERT INTO measurement VALUES(14,7,0.0);
INSERT INTO measurement VALUES(14,8,0.0);
INSERT INTO measurement VALUES(14,9,95.734213073494956345);
INSERT INTO measurement VALUES(14,10,65121.469021058219369);
INSERT INTO measurement VALUES(14,11,147174.83876473002601);
INSERT INTO measurement VALUES(14,12,0.0);
INSERT INTO measurement VALUES(14,13,53467.0);
INSERT INTO measurement VALUES(14,14,53468.0);
INSERT INTO measurement VALUES(14,15,0.36328899999999997305);
INSERT INTO measurement VALUES(14,16,53468.0);
INSERT INTO measurement VALUES(14,17,0.0);
INSERT INTO measurement VALUES(14,18,0.0);
INSERT INTO measurement VALUES(14,19,0.0);
INSERT INTO measurement VALUES(14,20,0.0);
INSERT INTO measurement VALUES(15,1,0.0);
INSERT INTO measurement VALUES(15,2,0.0);
INSERT INTO measurement VALUES(15,3,62382.0);
INSERT INTO measurement VALUES(15,4,1.0);
INSERT INTO measurement VALUES(15,5,148.0);
INSERT INTO measurement VALUES(15,6,5146.0);
INSERT INTO measurement VALUES(15,7,0.0);
INSERT INTO measurement VALUES(15,8,0.0);
INSERT INTO measurement VALUES(15,9,96.305473760527817717);
INSERT INTO measurement VALUES(15,10,88441.829568999994082);
INSERT INTO measurement VALUES(15,11,155917.96948224797961);
INSERT INTO measurement VALUES(15,12,0.0);
INSERT INTO measurement VALUES(15,13,62382.0);
INSERT INTO measurement VALUES(15,14,62383.0);
INSERT INTO measurement VALUES(15,15,0.40009499999999997843);
INSERT INTO measurement VALUES(15,16,62383.0);
INSERT INTO measurement VALUES(15,17,0.0);
INSERT INTO measurement VALUES(15,18,0.0);
INSERT INTO measurement VALUES(15,19,0.0);
INSERT INTO measurement VALUES(15,20,0.0);
INSERT INTO measurement VALUES(16,1,0.0);
INSERT INTO measurement VALUES(16,2,0.0);
INSERT INTO measurement VALUES(16,3,82388.0);
INSERT INTO measurement VALUES(16,4,1.5229945745184430005);
INSERT INTO measurement VALUES(16,5,121.0);
INSERT INTO measurement VALUES(16,6,609.0);
INSERT INTO measurement VALUES(16,7,0.0);
INSERT INTO measurement VALUES(16,8,0.0);
INSERT INTO measurement VALUES(16,9,96.30365879408768137);
INSERT INTO measurement VALUES(16,10,103294.57955498005321);
INSERT INTO measurement VALUES(16,11,183213.10075519699603);
INSERT INTO measurement VALUES(16,12,0.0);
INSERT INTO measurement VALUES(16,13,82388.0);
INSERT INTO measurement VALUES(16,14,82389.0);
INSERT INTO measurement VALUES(16,15,0.44968399999999997262);
INSERT INTO measurement VALUES(16,16,82389.0);
INSERT INTO measurement VALUES(16,17,0.0);
INSERT INTO measurement VALUES(16,18,0.0);
INSERT INTO measurement VALUES(16,19,0.0);
INSERT INTO measurement VALUES(16,20,0.0);
INSERT INTO measurement VALUES(17,1,0.0);
INSERT INTO measurement VALUES(17,2,0.0);
INSERT INTO measurement VALUES(17,3,80190.0);
INSERT INTO measurement VALUES(17,4,1.5326408200421492988);
INSERT INTO measurement VALUES(17,5,124.0);
INSERT INTO measurement VALUES(17,6,4269.0);
INSERT INTO measurement VALUES(17,7,0.0);
INSERT INTO measurement VALUES(17,8,0.0);
INSERT INTO measurement VALUES(17,9,96.176238426955620751);
INSERT INTO measurement VALUES(17,10,99657.234165874586323);
INSERT INTO measurement VALUES(17,11,171820.12774555449141);
INSERT INTO measurement VALUES(17,12,0.0);
INSERT INTO measurement VALUES(17,13,80190.0);
INSERT INTO measurement VALUES(17,14,80191.0);
INSERT INTO measurement VALUES(17,15,0.46670900000000004048);
INSERT INTO measurement VALUES(17,16,80191.0);
INSERT INTO measurement VALUES(17,17,0.0);
INSERT INTO measurement VALUES(17,18,0.0);
INSERT INTO measurement VALUES(17,19,0.0);
INSERT INTO measurement VALUES(17,20,0.0);
INSERT INTO measurement VALUES(18,1,0.0);
INSERT INTO measurement VALUES(18,2,0.0);
INSERT INTO measurement VALUES(18,3,58215.0);
INSERT INTO measurement VALUES(18,4,1.0);
INSERT INTO measurement VALUES(18,5,171.0);
INSERT INTO measurement VALUES(18,6,8445.0);
INSERT INTO measurement VALUES(18,7,0.0);
INSERT INTO measurement VALUES(18,8,0.0);
INSERT INTO measurement VALUES(18,9,96.176238426955620751);
INSERT INTO measurement VALUES(18,10,69101.530318999997691);
INSERT INTO measurement VALUES(18,11,142308.8675670720695);
INSERT INTO measurement VALUES(18,12,0.0);
INSERT INTO measurement VALUES(18,13,58215.0);
INSERT INTO measurement VALUES(18,14,58216.0);
INSERT INTO measurement VALUES(18,15,0.40907499999999996642);
INSERT INTO measurement VALUES(18,16,58216.0);
INSERT INTO measurement VALUES(18,17,0.0);
INSERT INTO measurement VALUES(18,18,0.0);
INSERT INTO measurement VALUES(18,19,0.0);
INSERT INTO measurement VALUES(18,20,0.0);
INSERT INTO measurement VALUES(19,1,0.0);
INSERT INTO measurement VALUES(19,2,0.0);
INSERT INTO measurement VALUES(19,3,80898.0);
INSERT INTO measurement VALUES(19,4,1.5422687548671800694);
INSERT INTO measurement VALUES(19,5,123.00000000000001421);
INSERT INTO measurement VALUES(19,6,372.0);
INSERT INTO measurement VALUES(19,7,0.0);
INSERT INTO measurement VALUES(19,8,0.0);
INSERT INTO measurement VALUES(19,9,96.884253594241243941);
INSERT INTO measurement VALUES(19,10,101287.42514999999548);
INSERT INTO measurement VALUES(19,11,172115.34779223101213);
INSERT INTO measurement VALUES(19,12,0.0);
INSERT INTO measurement VALUES(19,13,80898.0);
INSERT INTO measurement VALUES(19,14,80899.0);
INSERT INTO measurement VALUES(19,15,0.47002199999999999535);
INSERT INTO measurement VALUES(19,16,80899.0);
INSERT INTO measurement VALUES(19,17,0.0);
INSERT INTO measurement VALUES(19,18,0.0);
INSERT INTO measurement VALUES(19,19,0.0);
INSERT INTO measurement VALUES(19,20,0.0);
INSERT INTO measurement VALUES(20,1,0.0);
INSERT INTO measurement VALUES(20,2,0.0);
INSERT INTO measurement VALUES(20,3,56871.0);
INSERT INTO measurement VALUES(20,4,1.0);
INSERT INTO measurement VALUES(20,5,172.0);
INSERT INTO measurement VALUES(20,6,7074.0);
INSERT INTO measurement VALUES(20,7,0.0);
INSERT INTO measurement VALUES(20,8,0.0);
INSERT INTO measurement VALUES(20,9,96.585999510931358717);
INSERT INTO measurement VALUES(20,10,71223.150894000005792);
INSERT INTO measurement VALUES(20,11,139226.59237461994052);
INSERT INTO measurement VALUES(20,12,0.0);
INSERT INTO measurement VALUES(20,13,56871.0);
INSERT INTO measurement VALUES(20,14,56872.0);
INSERT INTO measurement VALUES(20,15,0.40847799999999995224);
INSERT INTO measurement VALUES(20,16,56872.0);
INSERT INTO measurement VALUES(20,17,0.0);
INSERT INTO measurement VALUES(20,18,0.0);
INSERT INTO measurement VALUES(20,19,0.0);
INSERT INTO measurement VALUES(20,20,0.0);
INSERT INTO measurement VALUES(21,1,0.0);
INSERT INTO measurement VALUES(21,2,0.0);
INSERT INTO measurement VALUES(21,3,54462.0);
INSERT INTO measurement VALUES(21,4,1.0);
INSERT INTO measurement VALUES(21,5,190.0);
INSERT INTO measurement VALUES(21,6,5258.0);
INSERT INTO measurement VALUES(21,7,0.0);
INSERT INTO measurement VALUES(21,8,0.0);
INSERT INTO measurement VALUES(21,9,96.359404191891869116);
INSERT INTO measurement VALUES(21,10,71877.933334999994257);
INSERT INTO measurement VALUES(21,11,142498.31237539052381);
INSERT INTO measurement VALUES(21,12,0.0);
INSERT INTO measurement VALUES(21,13,54462.0);
INSERT INTO measurement VALUES(21,14,54463.0);
INSERT INTO measurement VALUES(21,15,0.38219399999999997818);
INSERT INTO measurement VALUES(21,16,54463.0);
INSERT INTO measurement VALUES(21,17,0.0);
INSERT INTO measurement VALUES(21,18,0.0);
INSERT INTO measurement VALUES(21,19,0.0);
INSERT INTO measurement VALUES(21,20,0.0);
INSERT INTO measurement VALUES(22,1,0.0);
INSERT INTO measurement VALUES(22,2,0.0);
INSERT INTO measurement VALUES(22,3,80103.0);
INSERT INTO measurement VALUES(22,4,1.5147058823529411242);
INSERT INTO measurement VALUES(22,5,123.00000000000001421);
INSERT INTO measurement VALUES(22,6,526.0);
INSERT INTO measurement VALUES(22,7,0.0);
INSERT INTO measurement VALUES(22,8,0.0);
INSERT INTO measurement VALUES(22,9,96.165818574982338869);
INSERT INTO measurement VALUES(22,10,99371.778911535613588);
INSERT INTO measurement VALUES(22,11,170089.20324367709691);
INSERT INTO measurement VALUES(22,12,0.0);
INSERT INTO measurement VALUES(22,13,80103.0);
INSERT INTO measurement VALUES(22,14,80104.0);
INSERT INTO measurement VALUES(22,15,0.4709470000000000045);
INSERT INTO measurement VALUES(22,16,80104.0);
INSERT INTO measurement VALUES(22,17,0.0);
INSERT INTO measurement VALUES(22,18,0.0);
INSERT INTO measurement VALUES(22,19,0.0);
INSERT INTO measurement VALUES(22,20,0.0);
INSERT INTO measurement VALUES(23,1,0.0);
INSERT INTO measurement VALUES(23,2,0.0);
INSERT INTO measurement VALUES(23,3,53501.0);
INSERT INTO measurement VALUES(23,4,1.0);
INSERT INTO measurement VALUES(23,5,190.0);
INSERT INTO measurement VALUES(23,6,5376.0);
INSERT INTO measurement VALUES(23,7,0.0);
INSERT INTO measurement VALUES(23,8,0.0);
INSERT INTO measurement VALUES(23,9,96.094889038299513119);
INSERT INTO measurement VALUES(23,10,63816.925356171101155);
INSERT INTO measurement VALUES(23,11,140313.19417671789415);
INSERT INTO measurement VALUES(23,12,0.0);
INSERT INTO measurement VALUES(23,13,53501.0);
INSERT INTO measurement VALUES(23,14,53502.0);
INSERT INTO measurement VALUES(23,15,0.38129699999999994153);
INSERT INTO measurement VALUES(23,16,53502.0);
INSERT INTO measurement VALUES(23,17,0.0);
INSERT INTO measurement VALUES(23,18,0.0);
INSERT INTO measurement VALUES(23,19,0.0);
INSERT INTO measurement VALUES(23,20,0.0);
INSERT INTO measurement VALUES(24,1,0.0);
INSERT INTO measurement VALUES(24,2,0.0);
INSERT INTO measurement VALUES(24,3,80299.0);
INSERT INTO measurement VALUES(24,4,1.540622665006226688);
INSERT INTO measurement VALUES(24,5,124.0);
INSERT INTO measurement VALUES(24,6,501.99999999999994314);
INSERT INTO measurement VALUES(24,7,0.0);
INSERT INTO measurement VALUES(24,8,0.0);
INSERT INTO measurement VALUES(24,9,95.931136932249728484);
INSERT INTO measurement VALUES(24,10,100695.83100400000694);
INSERT INTO measurement VALUES(24,11,171030.1553561007313);
INSERT INTO measurement VALUES(24,12,0.0);
INSERT INTO measurement VALUES(24,13,80299.0);
INSERT INTO measurement VALUES(24,14,80300.0);
INSERT INTO measurement VALUES(24,15,0.46950199999999997491);
INSERT INTO measurement VALUES(24,16,80300.0);
INSERT INTO measurement VALUES(24,17,0.0);
INSERT INTO measurement VALUES(24,18,0.0);
INSERT INTO measurement VALUES(24,19,0.0);
INSERT INTO measurement VALUES(24,20,0.0);
CREATE TABLE sample (
  trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
  metric_id INTEGER NOT NULL REFERENCES metric (metric_id),
  seq INTEGER NOT NULL,
  t_ms INTEGER NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (trial_id, metric_id, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO sample VALUES(1,10,0,1796071484846,50377.594873000001826);
INSERT INTO sample VALUES(1,10,1,1796071485047,59300.375369000001227);
INSERT INTO sample VALUES(1,10,2,1796071485247,62178.235619999999471);
INSERT INTO sample VALUES(2,10,0,1796071485730,6.0000000000000001517e-06);
INSERT INTO sample VALUES(2,10,1,1796071485931,61879.346756999999341);
INSERT INTO sample VALUES(2,10,2,1796071486131,56421.933596000002578);
INSERT INTO sample VALUES(3,10,0,1796071486618,3.9999999999999998188e-06);
INSERT INTO sample VALUES(3,10,1,1796071486819,45984.640182000002823);
INSERT INTO sample VALUES(3,10,2,1796071487019,53234.730155999997803);
INSERT INTO sample VALUES(4,10,0,1796071487488,44330.401270000002115);
INSERT INTO sample VALUES(4,10,1,1796071487688,57458.811781999997035);
INSERT INTO sample VALUES(4,10,2,1796071487888,74968.297237000006134);
INSERT INTO sample VALUES(5,10,0,1796071488354,6.0000000000000001517e-06);
INSERT INTO sample VALUES(5,10,1,1796071488555,68932.804745000001277);
INSERT INTO sample VALUES(5,10,2,1796071488755,71620.46099099999992);
INSERT INTO sample VALUES(6,10,0,1796071489240,53343.650931999996829);
INSERT INTO sample VALUES(6,10,1,1796071489441,77655.410667999996802);
INSERT INTO sample VALUES(6,10,2,1796071489641,82608.370142999992822);
INSERT INTO sample VALUES(7,10,0,1796071490160,73160.745936999999686);
INSERT INTO sample VALUES(7,10,1,1796071490360,79585.794385000001058);
INSERT INTO sample VALUES(7,10,2,1796071490560,74368.652826000005008);
INSERT INTO sample VALUES(8,10,0,1796071491048,101309.24561100000573);
INSERT INTO sample VALUES(8,10,1,1796071491248,103094.48205599999346);
INSERT INTO sample VALUES(8,10,2,1796071491448,103123.14380799999344);
INSERT INTO sample VALUES(9,10,0,1796071491930,56348.43748400000186);
INSERT INTO sample VALUES(9,10,1,1796071492131,57028.48928899999737);
INSERT INTO sample VALUES(9,10,2,1796071492331,60617.858908000001975);
INSERT INTO sample VALUES(10,10,0,1796071492811,97802.746566999994685);
INSERT INTO sample VALUES(10,10,1,1796071493011,101367.2372219999961);
INSERT INTO sample VALUES(10,10,2,1796071493211,98870.155222999994296);
INSERT INTO sample VALUES(11,10,0,1796071493686,1.0999999999999999713e-05);
INSERT INTO sample VALUES(11,10,1,1796071493887,100213.20897000000696);
INSERT INTO sample VALUES(11,10,2,1796071494087,98825.045066000006049);
INSERT INTO sample VALUES(12,10,0,1796071494572,6.0000000000000001517e-06);
INSERT INTO sample VALUES(12,10,1,1796071494772,77475.759179999993649);
INSERT INTO sample VALUES(12,10,2,1796071494973,64499.862702999998871);
INSERT INTO sample VALUES(13,10,0,1796071495471,103517.83886400000482);
INSERT INTO sample VALUES(13,10,1,1796071495672,102704.40283000000636);
INSERT INTO sample VALUES(13,10,2,1796071495872,99748.432696000003489);
INSERT INTO sample VALUES(14,10,0,1796071496343,55553.613431999998282);
INSERT INTO sample VALUES(14,10,1,1796071496543,69930.069929999997837);
INSERT INTO sample VALUES(14,10,2,1796071496743,70524.376176999998278);
INSERT INTO sample VALUES(15,10,0,1796071497202,7.9999999999999996378e-06);
INSERT INTO sample VALUES(15,10,1,1796071497402,88441.829568999994082);
INSERT INTO sample VALUES(15,10,2,1796071497602,77281.163931999995839);
INSERT INTO sample VALUES(16,10,0,1796071498047,103539.16038499999558);
INSERT INTO sample VALUES(16,10,1,1796071498247,103171.67159199999877);
INSERT INTO sample VALUES(16,10,2,1796071498448,102219.51536099999793);
INSERT INTO sample VALUES(17,10,0,1796071498915,100537.3176070000045);
INSERT INTO sample VALUES(17,10,1,1796071499116,99214.248298000005891);
INSERT INTO sample VALUES(17,10,2,1796071499316,100432.42919300000358);
INSERT INTO sample VALUES(18,10,0,1796071499790,6.999999999999999895e-06);
INSERT INTO sample VALUES(18,10,1,1796071499991,69101.530318999997691);
INSERT INTO sample VALUES(18,10,2,1796071500191,79372.054006999998819);
INSERT INTO sample VALUES(19,10,0,1796071500684,1.0999999999999999713e-05);
INSERT INTO sample VALUES(19,10,1,1796071500884,101287.42514999999548);
INSERT INTO sample VALUES(19,10,2,1796071501084,100817.50672900000063);
INSERT INTO sample VALUES(20,10,0,1796071501532,7.9999999999999996378e-06);
INSERT INTO sample VALUES(20,10,1,1796071501732,71223.150894000005792);
INSERT INTO sample VALUES(20,10,2,1796071501932,62586.752678999997443);
INSERT INTO sample VALUES(21,10,0,1796071502388,6.999999999999999895e-06);
INSERT INTO sample VALUES(21,10,1,1796071502589,71877.933334999994257);
INSERT INTO sample VALUES(21,10,2,1796071502789,69489.300315000000411);
INSERT INTO sample VALUES(22,10,0,1796071503251,99530.610207000005176);
INSERT INTO sample VALUES(22,10,1,1796071503452,99292.019492000006724);
INSERT INTO sample VALUES(22,10,2,1796071503652,101178.46799200000532);
INSERT INTO sample VALUES(23,10,0,1796071504124,57620.279461999998602);
INSERT INTO sample VALUES(23,10,1,1796071504325,66929.271445999998831);
INSERT INTO sample VALUES(23,10,2,1796071504525,66963.238121000002137);
INSERT INTO sample VALUES(24,10,0,1796071504989,1.0999999999999999713e-05);
INSERT INTO sample VALUES(24,10,1,1796071505190,100695.83100400000694);
INSERT INTO sample VALUES(24,10,2,1796071505390,99563.746482999995347);
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
INSERT INTO artifact VALUES(33,1,'load.stdout','zstd','ed8883737212fc018bc171bf824223787032c16937a97f78bd31ed36dd4ac6f0',822,X'28b52ffd603602fd0e00065f5c25108d5807af076901aef30043c08544690a4835b9b921b5276c492a0aeeeec244004001a00253004e004f00eed1f21b7199ed59f544b2285850d35d5c5acecf63daa9e58d3163165dbb5d0ea99ab254ba6c3a239728344d75e00d7672a1eb60588b1937e64eebb4552fac48ad8f3bd0796d3fde1185a6aa42aa4eb8834110d27960031d061dd822374f6ccb4ab4466dcf555f084451b571ec0ea18450b23bbf4354c6693db8bcd0a5be157415b25ee5126d47649ad81eb1fc369d872c778cefb8cb1dc68f2c6f7f2c6777c9f2ddf89772b635a2006066cc4db9f4a06be0e5a56daff0af256d34af9d6b29ee9c66e43dcdabbc6f47a8a946ec1ae639e6c4e69acbf87084ee691e131f637e0f73099fd34066cc8b0e7c1816e363e6016b392e423481741dcd354c04343dc035a67352fe3cc71211ed0b192ce83ce81a6b8f894cd5547be2bbc22aa793e7550f78deafed89a4ab5ff6c4b4bffd1041d4db01aa1a42a081d0681420302e6d4b357a5b5a291b2c2040024304a91df3008072e5105860107779684e4900d16ce8b6570901933c4e3752fcdeb034d8dd18b77815e2599e384628669768dcd23a7c616ef7fc42d8a8e9335f60aa66bb3104d06163e60da3b74013984c83b4c6e61fb3d3bbac6f27850ca85a4280b6456e4d29');
INSERT INTO artifact VALUES(34,1,'server.stdout','zstd','193d1d29a1f83701d8c64809e6d5cd0a51fc2664ea4a9d11a5c4471cf6aa3db7',364,X'28b52ffd606c00550600e28a221f6069aa03ba1f84883ca908915616ee463104415046601bdc9a0204808bc303854649666f2d792d3a0f3a010203c800b0e6d657c5b79c85b56f1a848cc1e811241a28c50ef751712d683cd1478582ae398b53bdb324d421084742bfd87638cf318727245f5778c472eb7471f2c6b7a0d370282799258f1dd703e82cc9bb5f4e9f1904c9ab47a85b9811180054247083c01305c8a65cbcf8c102eb1040aa01cc3c43a842b0326653801cb93131e3e707d882b082c50f98303583a16929a9309fba0b6c82dbf204');
INSERT INTO artifact VALUES(36,1,'account','zstd','fbaf41138d86fdd2410dfd842a88161ee16161a740f02748e8274ad68c2d253e',1715,X'28b52ffd60b305fd150066667125208be801d82336122697a16e371ca92e83dd295e92f0011150c56eb3c5404004041084a001630065006c00925d784e932ec9dbc927092d9df26d446744fc965ab67af6ec580b4b1b1146ef9294a385bd11ed5d1760615b97ac70bd3fdeaf245a12fab7eacb197861b8aa5376513af16515d338a781fafa7ccf8e662dfd1d722b6ca83d424af5a401eaf78574da93f7491ee29aa97d347b9c22ab8d7e5fa622655fcaeaf761100bb4284d694ac22d0d3585d152fbefcddaf456a270628d64dd1aea9ba9c8c0cd1ad4f77ab47fdf1b6f21cddcf3b8c541cf1fd3a37f4fa0660e55ab13522ae235671be0d3c4ef58822b61806105f14ee9c0f7cee9459e7a916fdac238074ba217790ca917f9469d14579fd40da67c056a81ac0b528e1e51a119412d68d6de26d8039c119a398ac63d50df09fe026238500b28991faed9c666d592680ed31cd4102beb843453b4e6108a9e58daac62983a9b358b8360443c2101554521be8d5b9c857912096759104d719e08d2091ff0b16a71108e718d799a4b300a45a3308e9f58b2d7a99ccd9ad2a0c6d5e33bf528747c1ff6da4b33a6652a3e49f4a4fb837b76dcf720964aec61bc533e6a36227c5caba534d745858cf8dee73f8ccd5e60a84119220c29a646824c1025cd012042c294a3f312c0f32ccb42d02aa58814059459957df60ca24b0d8b68c22e07156491d119393c351ed3c311ebc2d4ed8479632d017d91d3041dddd8d6fb8fa1fb2a21b598402a41efc4db91c771be26e535171407d668299e07ae8ec88fb63c42d626ffa4121d44cce144537b1d28ef277c51a2e2153a2a3838e00d9834bcd1f30aeb30f64f0460b5a81b15f824e7d233b177906ff4d0882a7a8863c2925865c69476e18d2721954131a69e2625a3ea17f89150cb37e84e71c0ea13fd2c8400b82fd9d8a49a88134b918370ba5c9fe4c188bb540917eb3cfc9b8798e9f543d19a53332940965005');
INSERT INTO artifact VALUES(861,24,'load.stdout','zstd','b16d22555f045fe96da51c447dd4a1eb24248b3a669952fbf50d4c46154a31e0',820,X'28b52ffd603402dd0e0016de5925008daa0eb7a7d6b332c087d226b693b79997c685e07265e030928a5800db12555553a8090151004c004e00cb3ba25b65eae2896451b0b0aa5e7c5abe1136eed672d7b66d7b9e7b5d0eb9d8aa73bae449453ecda8aae8c01beaa4a3763030b66d5d7b9f94aa172fb008a58f3b4caa2b3fced28caa8b422e4eb8834110b131dbb8679df83856a74925aedf8b1b12591675debe332b1b46eefbc24350c6273db8ece813f715b542d2563e4d76b80642ef11cb9b2775c8f2d7f68e5e0eb57d64b9fb63f9be4b96bf4b0156e5c6cf946fa51105c03ae5538c6fa1cb9e5caff03326ab4475a51853345551917345b5726e8e58159520c438ccd3a0d3c478e93c508420b3eb20d49ae8ecba4be83c1172ad71aeede5f39808058c39ce4230c1d48eb74d44543d60529572e6b99590267764c022b3116e8b0cdc75175b4f745754e573d280d703227c579e48f8fa254f50f5cd0f52649d1da28b21041a088d460102e3b2f244a5739d342e20200242889577a50100b9320830ec30a243e752b73400a96cec99aa0550591e2799397cdc3034d81db9b67795c4b37ce28c50c82ec9b8b5b5a091e10b63bbe70b0147cd9fe1125325db8a11e0e6c692c7db5f6ce1e6dc2e06d3e0b1c6f08fd8e95dd6b7936a06149610e86d915b4e0a');
INSERT INTO artifact VALUES(862,24,'server.stdout','zstd','2956b43ef069b69c5a3dadd6661f3e940a84269ab554dae9dd31203d0820a340',497,X'28b52ffd60f100fd0600728b24206067ab03ba62a489c4132116551fdaff012a08deb5d00f7aa303034990619803000f5a6e77ae715c741212440534f7d857313c4ed4dc378d243192a1679848a028ed701f135703422824241d47cae78d3e2614f89c133dd53b11421f63b020f48a758b53295548cbed07cdd915fec0de3a8dbcbcd161d0692001b5dc1aa72dd702e844cbbb674f1d2f0696577fd0a7f0221e0049241883003b10286ee88b0d833517a51ac2cc33842a042b63360548206eec9ff165076c81b8a0044d17004e0160400bd80e3e9b98b5058b1f30616a0693a6b54fdd0536c16d7902');
INSERT INTO artifact VALUES(864,24,'account','zstd','258d8323c6aefb54fd180b20a0ca2b4cdd82505cfb8fa50a26c13c4709a21c58',1826,X'28b52ffd602206bd160096a77424208be801d82336122697a16e371ce916817d295e92f00111781decd87f5d4b04200860d16800680070002b6180614976e1394dba246f279f24b474cab7119d11f15b6ad9ead9b3632d2c6d44a87897a4ac58d81bd1de750116b675c90ad7fbe3fd4a144b42ff567d39032f0c5775ca2e4a27beac82a0a53d515f9fefd9d1aca5bf436e851db54748a99e3444fdbe904e7b120f71cdd43e9a398d22ab8d7e5fa622655fcaea17621c1739a5294d492caea3a6305a8a701e8770cefe7bb336bd95289c58d3348f8b5ab26e1df5cd5464e0662dea7b3ddabfef8db790660b042d6e899e3fa647ff9e44cd1caa5627a454c46bce36c0a789dfb10403d281ef9dd38b3cf522bf2020c83d58a27891c7907a916fd44971f549dd60ca57a016c8ba2065c5232a3423a805cddadb047b803342b307721ac2457d27f80b88e1402da0647eb8661b9b554ce2619ad396a82156d60969d63809a63d3db1b459053d8cabb31922d19a63443c21f74902554521be4c026a968581108c730ca4389002d2091ff0b1ca398f836094e61c3fb164af53399b35a5458dabc777ea51e8f83eecb559e5386e695cd4ae19d332159f44f1a4fb837b76dcf720964aec61bc533e6a36227c5caba534d745858cf8dee73f8ccd5ebc3367a85199210a29a54a8248daa4393042a218a3eb12a00325cc220e664c91c00222493aa53df60ca3252a2c9e134eec128d3623d969f6dba4c1ea53a406134ed54d1576a60fc4b9813d82fd4e230b551749d012851585a7aa84d386e78a1ccbacf8e82d97d95f9c0ff8392aefe3320c92577c55851b5dceb6a2b92af4b2ec56887a8b8b7774f4a238906e70527dd69465364032948a2039317001f722d9649a66bc645d70f62f3b559e930c121845af05ddabf8b9595ac2f43ef97854a8410c1a611059af67413ac631754806012559d900ddc7716084121116922b5c943766620dfa8418e760972e6b22751d5f3c850e97c5f4fcce6d8cf592616c70ea1b058814aa');
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
INSERT INTO decision VALUES(1,1,1796071489875750,11,1,1,'a-a-pilot',6,0.36291976670417724903,NULL,NULL,NULL,0.025000000000000001387,'{"coefficient_of_variation":0.15625104246883406,"confirmation_blocks":6,"delta":0.36291976670417725,"min_effect":0.01,"noise":0.1526204581395416,"objective":"qps","power":0.8,"trials":[{"block":1,"trial":1,"value":56316.11898956421},{"block":1,"trial":2,"value":61879.346757},{"block":1,"trial":3,"value":45984.640182},{"block":2,"trial":4,"value":53069.542614627135},{"block":2,"trial":5,"value":68932.804745},{"block":2,"trial":6,"value":69526.51481528458}]}');
INSERT INTO decision VALUES(2,1,1796071495202605,2,2,1,'paired-t-log',6,NULL,NULL,NULL,NULL,0.025000000000000001387,'{"delta":0.36291976670417725,"minimum_blocks":6,"scale":"log","search_effect":0.20593411869451186,"search_standard_deviation":0.07367864817528608,"search_trials":3}');
INSERT INTO decision VALUES(3,1,1796071505610973,8,2,1,'paired-t-log',6,0.42185497654191816963,0.26524475594181551318,0.59785019050494980774,0.00028541322869717489912,0.025000000000000001387,'{"blocks":[{"baseline":{"trial":14,"value":65121.46902105822},"block":6,"leader":{"trial":13,"value":102976.37025754727}},{"baseline":{"trial":15,"value":88441.829569},"block":7,"leader":{"trial":16,"value":103294.57955498005}},{"baseline":{"trial":18,"value":69101.530319},"block":8,"leader":{"trial":17,"value":99657.23416587459}},{"baseline":{"trial":20,"value":71223.150894},"block":9,"leader":{"trial":19,"value":101287.42515}},{"baseline":{"trial":21,"value":71877.933335},"block":10,"leader":{"trial":22,"value":99371.77891153561}},{"baseline":{"trial":23,"value":63816.9253561711},"block":11,"leader":{"trial":24,"value":100695.831004}}],"delta":0.36291976670417725,"ground":"proven","leader":2,"min_effect":0.01,"objective":"qps","planned_blocks":6,"posterior":0.9999999995265418,"statement":"processes=2 beats the settings you had by 42 % (95 % interval 27 % to 60 %, 6 fresh blocks). Caveat: 2 of its 6 fresh trials are suspect (short-series)."}');
CREATE TABLE bundle (
  bundle_id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study (study_id),
  configuration_id INTEGER NOT NULL REFERENCES configuration (configuration_id),
  format TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_us INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX trial_place ON trial (study_id, block, position, attempt);
CREATE UNIQUE INDEX trial_live ON trial (study_id) WHERE state IN (2, 3, 4);
CREATE INDEX trial_configuration ON trial (configuration_id, state);
CREATE INDEX artifact_trial ON artifact (trial_id);
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
COMMIT;
PRAGMA application_id=1315271763;
PRAGMA user_version=1;
