"""python3 truth_table.py > ../../../datasets/captures/test_bed.jsonl: what is true of 42 configurations of each machine (the default, the
optimum and 40 at random), for the test that strategies/worlds has the same machines."""
import json, random
from testbed import PROBLEMS, unit_random

for p in PROBLEMS:
    r = random.Random(20)
    for c in [p.default(), p.optimum()[0]] + [unit_random(p, r) for _ in range(40)]:
        f = p.full(p.active(c))
        probability, depth = p.low(f)
        values = {q.name: str(v) if q.kind == 'cat' else v for q in p.params for v in [p.active(c).get(q.name)] if v is not None}
        print(json.dumps(dict(machine=p.name, values=values, mean=p.mean(f), fails=p.crash(f), slow_probability=probability,
                              slow_depth=depth, noise=p.cv(f), regret_percent=p.regret(f))))
