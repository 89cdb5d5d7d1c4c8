"""netsettle and other optimisers side by side on seven simulated machines with known optima: the true regret of what each hands over.

One run, the same seeds and the same noisy machines for all (peers/testbed.py); netsettle is driven as the real program, through ask-tell.
Started as build/release/tests/bench/strategy_bench (./dev bench), which names the program. See peers/README.md."""
import argparse
import collections
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent / 'peers'
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from testbed import PROBLEMS  # noqa: E402

MACHINES = [p.name for p in PROBLEMS]
PYTHON = '/usr/bin/python3'  # Debian's, which has Debian's packages
MISSING = 3                  # exit code: this machine lacks something


def has_module(name):
    return subprocess.run([PYTHON, '-c', f'import {name}'], capture_output=True).returncode == 0


def has_r_package(name):
    return shutil.which('Rscript') is not None and subprocess.run(
        ['Rscript', '-e', f'library({name})'], capture_output=True).returncode == 0


def has_pagmo():
    return shutil.which('g++') is not None and os.path.exists('/usr/include/pagmo/pagmo.hpp')


# What a tool needs: Debian packages and how to see that they are there.
NEEDS = {
    'netsettle': [],
    'random': [],
    'optuna': [('python3-optuna', lambda: has_module('optuna')), ('python3-scipy', lambda: has_module('scipy')),
               ('python3-cmaes', lambda: has_module('cmaes'))],
    'nlopt': [('python3-nlopt', lambda: has_module('nlopt'))],
    'pagmo': [('libpagmo-dev g++', has_pagmo)],
    'irace': [('r-cran-irace', lambda: has_r_package('irace'))],
}
TOOLS = ['netsettle', 'optuna-tpe', 'optuna-cma-unit', 'pagmo-gaco', 'pagmo-sga', 'nlopt-SBPLX', 'nlopt-DIRECT_L', 'nlopt-CRS2',
         'random+SH']
MORE_TOOLS = ['irace', 'optuna-random', 'optuna-tpe-mv', 'optuna-tpe-rep3', 'optuna-cma-margin']


def family(tool):
    return tool.replace('+', '-').split('-')[0]


def missing_packages(tool):
    return [package for package, is_there in NEEDS[family(tool)] if not is_there()]


def chosen_tools(wanted):
    """The tools to run. Those of the default list whose packages are missing are left out, those that were asked for are needed."""
    tools = wanted.split(',') if wanted else TOOLS
    unknown = [t for t in tools if t not in TOOLS + MORE_TOOLS]
    if unknown:
        print(f"strategy_bench: there is no tool {', '.join(unknown)}; there are {', '.join(TOOLS + MORE_TOOLS)}", file=sys.stderr)
        sys.exit(2)
    missing = {f: missing_packages(f) for f in {family(t) for t in tools}}
    packages = sorted({p for needs in missing.values() for p in needs})
    if packages:
        print(f"strategy_bench: missing Debian packages: {' '.join(packages)} (apt-get install --no-install-recommends them)",
              file=sys.stderr)
        if wanted:
            sys.exit(MISSING)
        left_out = [t for t in tools if missing[family(t)]]
        print(f"strategy_bench: left out: {', '.join(left_out)}", file=sys.stderr)
    return [t for t in tools if not missing[family(t)]]


def prepare(folder, tools):
    """What the runners expect in their working folder."""
    if any(family(t) == 'pagmo' for t in tools):
        subprocess.run(['g++', '-std=c++17', '-O2', '-shared', '-fPIC', str(HERE / 'pagmo_run.cpp'), '-o', str(folder / 'libpagmo_run.so'),
                        '-lpagmo', '-ltbb', '-lboost_serialization'], check=True)
    if 'irace' in tools:
        subprocess.run([PYTHON, '-B', str(HERE / 'gen_irace.py')], check=True, cwd=folder)


def working_folder(folder, tool, machine):
    """Of one task: where its results are. The links are to what its runner looks for beside itself."""
    work = folder / tool / machine
    shutil.rmtree(work, ignore_errors=True)
    (work / 'results').mkdir(parents=True)
    links = {'pagmo': ['libpagmo_run.so'], 'irace': ['irace']}.get(family(tool), [])
    for name in links:
        (work / name).symlink_to(folder / name)
    if tool == 'irace':
        for name in ('irace_server.py', 'testbed.py'):
            (work / name).symlink_to(HERE / name)
    return work


def command(options, tool, machine):
    seeds = [str(options.first_seed), str(options.first_seed + options.seeds)]
    if tool == 'netsettle':
        return [PYTHON, '-B', str(HERE / 'run_netsettle.py'), options.netsettle, *seeds, options.budgets, machine]
    if tool == 'irace':
        return ['Rscript', str(HERE / 'run_irace.R'), *seeds, options.budgets, 't-test', 'irace', machine]
    return [PYTHON, '-B', str(HERE / 'run_peers.py'), tool, *seeds, options.budgets, machine]


def is_complete(folder, options, tool, machine):
    file = folder / tool / machine / 'results' / f'{tool}.jsonl'
    if not file.exists():
        return False
    seen = {(x.get('seed'), x.get('B')) for x in map(json.loads, file.open()) if 'regret' in x}
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    return all((s, int(b)) in seen for s in seeds for b in options.budgets.split(','))


def run_task(folder, options, tool, machine):
    """One tool on one machine, all seeds and budgets. CPU time of the runner and its children, in seconds."""
    if options.keep and tool != 'netsettle' and is_complete(folder, options, tool, machine):
        return None
    work = working_folder(folder, tool, machine)
    environment = dict(os.environ, OPENBLAS_NUM_THREADS='1', OMP_NUM_THREADS='1')
    with open(work / 'log', 'w') as log:
        child = subprocess.Popen(command(options, tool, machine), cwd=work, env=environment, stdout=log, stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f'{tool} on {machine} ended with {child.returncode}; see {work}/log')
    cpu = usage.ru_utime + usage.ru_stime
    (work / 'cpu.json').write_text(json.dumps({'tool': tool, 'cpu_s': cpu / options.seeds}))
    return cpu


def run_all(folder, options, tools):
    prepare(folder, tools)
    tasks = [(t, m) for t in tools for m in MACHINES]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(run_task, folder, options, *task): task for task in tasks}
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            tool, machine = futures[future]
            try:
                future.result()
            except Exception:
                for other in futures:
                    other.cancel()
                raise
            print(f'strategy_bench: {done} of {len(tasks)} done after {time.monotonic() - start:.0f} s: {tool} on {machine}', file=sys.stderr)


def read_results(folder):
    """(tool, its kind of answer) -> budget -> machine -> seed -> regret; CPU seconds a seed by tool; studies with a falling hand-over."""
    regrets = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(dict)))
    falling = collections.Counter()
    own_time = collections.defaultdict(lambda: collections.defaultdict(float))  # what a runner says of itself, the largest of its budgets
    for file in sorted(folder.rglob('*.jsonl')):
        for line in file.open():
            x = json.loads(line)
            if 'regret' not in x:
                continue
            regrets[x['tool'], x['rec']][x['B']][x['prob']][x['seed']] = x['regret']
            own_time[x['tool']][x['prob'], x['seed']] = max(own_time[x['tool']][x['prob'], x['seed']], x.get('cpu', 0))
            if 'p_low' in x:  # irace's runner does not say
                falling[x['tool'], x['rec'], x['B']] += x['p_low'] * x['d_low'] >= .05
    cpu = collections.defaultdict(list)
    for file in folder.rglob('cpu.json'):
        x = json.loads(file.read_text())
        cpu[x['tool']].append(x['cpu_s'])
    for tool, seconds in own_time.items():
        if tool not in cpu and any(seconds.values()):
            cpu[tool] = list(seconds.values())
    return regrets, falling, cpu


def error_of_mean(values):
    return statistics.stdev(values) / len(values) ** .5 if len(values) > 1 else float('nan')


def row_of(by_machine):
    """Means and standard errors by machine; the average over machines, whose error adds in squares."""
    means = {m: statistics.mean(by_machine[m].values()) for m in MACHINES if by_machine.get(m)}
    errors = {m: error_of_mean(list(by_machine[m].values())) for m in means}
    if len(means) < len(MACHINES):
        return means, errors, None, None
    return means, errors, statistics.mean(means.values()), sum(e * e for e in errors.values()) ** .5 / len(means)


def paired_difference(ours, theirs):
    """Mean of ours - theirs over machines and common seeds, in points of regret, with its standard error."""
    means, variances = [], []
    for m in MACHINES:
        d = [ours[m][s] - theirs[m][s] for s in ours[m] if s in theirs[m]]
        means.append(statistics.mean(d))
        variances.append(error_of_mean(d) ** 2)
    return statistics.mean(means), sum(variances) ** .5 / len(MACHINES)


def print_budget(budget, regrets, falling, cpu):
    rows = [(key, by_budget[budget], row_of(by_budget[budget])) for key, by_budget in regrets.items() if budget in by_budget]
    rows.sort(key=lambda row: row[2][2] if row[2][2] is not None else 1e9)
    seeds = max(len(by[m]) for _, by, _ in rows for m in by)
    print(f'\n{budget} trials, {seeds} seeds: mean true regret in percent (standard error), all machines, and CPU seconds a seed')
    print(f"{'tool':25s}" + ''.join(f'{m:>14s}' for m in MACHINES) + f"{'mean':>14s}{'falls':>7s}{'CPU s':>8s}")
    for (tool, answer), _, (means, errors, mean, error) in rows:
        cells = ''.join(f'{means[m]:8.2f} ({errors[m]:.2f})'.rjust(14) if m in means else f"{'-':>14s}" for m in MACHINES)
        mean_cell = f'{mean:.2f} ({error:.2f})' if mean is not None else '-'
        falls = falling.get((tool, answer, budget), '-')
        seconds = f'{statistics.mean(cpu[tool]):8.1f}' if cpu.get(tool) else f"{'-':>8s}"
        print(f'{tool + "/" + answer:25s}{cells}{mean_cell:>14s}{falls:>7}{seconds}')
    print_ratio(rows)


def print_ratio(rows):
    ours = next((row for row in rows if row[0][0] == 'netsettle'), None)
    peers = [row for row in rows if row[0][0] != 'netsettle' and row[2][2] is not None]
    if ours is None or ours[2][2] is None or not peers:
        return
    best = min(peers, key=lambda row: row[2][2])
    cells = []
    for m in MACHINES:
        least = min(row[2][0][m] for row in peers)
        cells.append(f'{ours[2][0][m] / least:14.2f}' if least > 0 else f"{'-':>14s}")
    print(f"{'netsettle / best peer':25s}{''.join(cells)}{ours[2][2] / best[2][2]:14.2f}")
    difference, error = paired_difference(ours[1], best[1])
    print(f'netsettle - {best[0][0]}/{best[0][1]}, in pairs: {difference:+.2f} points of regret (standard error {error:.2f})')


def print_tables(folder, budgets):
    regrets, falling, cpu = read_results(folder)
    for budget in budgets:
        if any(budget in by_budget for by_budget in regrets.values()):
            print_budget(budget, regrets, falling, cpu)
    print('\n`best` is the tool\'s own answer, `confirm` re-runs its five best in the last fifth of the budget; `falls` counts studies that handed over a\n'
          'configuration that loses 5 % of its rate or more to slow trials. The ratio of a machine is to the best peer on that machine.\n'
          'CPU time is of all budgets of a seed together; Optuna runs the largest and its answers at the smaller ones are read on the way.')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--netsettle', help='the program')
    parser.add_argument('--seeds', type=int, default=5, help='how many (default 5, for a first look; 20 to judge)')
    parser.add_argument('--first-seed', type=int, default=0)
    parser.add_argument('--budgets', default='100,200', help='trials, separated by commas (default 100,200)')
    parser.add_argument('--tools', help=f"of {', '.join(TOOLS)} (the default) and {', '.join(MORE_TOOLS)}")
    parser.add_argument('--jobs', type=int, default=2, help='tasks at the same time (default 2)')
    parser.add_argument('--output', default='strategy_bench_results', help='folder of the results')
    parser.add_argument('--keep', action='store_true', help="take the peers' results that the folder has already; netsettle is always run")
    parser.add_argument('--table', action='store_true', help='only print what the folder has')
    options = parser.parse_args()
    folder = pathlib.Path(options.output).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not options.table:
        tools = chosen_tools(options.tools)
        if 'netsettle' in tools and not options.netsettle:
            sys.exit('strategy_bench: name the program with --netsettle')
        try:
            run_all(folder, options, tools)
        except (RuntimeError, subprocess.CalledProcessError) as failure:
            sys.exit(f'strategy_bench: {failure}')
        except KeyboardInterrupt:
            print('strategy_bench: interrupted; --keep goes on with what is complete', file=sys.stderr)
            os._exit(130)
    print_tables(folder, [int(b) for b in options.budgets.split(',')])


if __name__ == '__main__':
    main()
