#!/usr/bin/env bash
# SGLang with `--enable-priority-scheduling` gives a request without `priority` the last place, behind every number, whichever way
# the numbers are ordered; and it puts larger numbers first, unless `--schedule-low-priority-values-first` is given. One would
# expect what vLLM documents for the same field: 0 without one, smaller numbers first. So a program that marks only its batches,
# with `priority: 1`, lets them go before all calls of people, with either order.
#
# The methods that fill in and order priorities are run as they are in the package, without the rest of it, which needs a GPU.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Python 3 with pip.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --platform manylinux_2_34_x86_64 --python-version 311 sglang==0.5.23

cat >check.py <<'PY'
import ast
import glob
import sys
import zipfile
from types import SimpleNamespace

package = zipfile.ZipFile(glob.glob("sglang-*.whl")[0])


def take(path, name):
    """Returns a method of a class in the package as a function."""
    tree = ast.parse(package.read(path))
    method = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    method.decorator_list, method.returns = [], None
    for argument in method.args.args:
        argument.annotation = None
    scope = {"sys": sys}
    exec(compile(ast.Module(body=[method], type_ignores=[]), path, "exec"), scope)
    return scope[name]


fill_in = take("sglang/srt/managers/scheduler.py", "_set_or_validate_priority")
sort = take("sglang/srt/managers/schedule_policy.py", "_sort_by_priority_and_fcfs")


def order(low_first):
    scheduler = SimpleNamespace(enable_priority_scheduling=True, schedule_low_priority_values_first=low_first)
    queue = []
    for arrival, (name, priority) in enumerate([("none", None), ("0", 0), ("1", 1)]):
        stats = SimpleNamespace(wait_queue_entry_time=arrival)
        request = SimpleNamespace(name=name, priority=priority, time_stats=stats)
        assert fill_in(scheduler, request)
        queue.append(request)
    sort(queue, 1 if low_first else -1)
    return [request.name for request in queue]


seen = {"larger first": order(False), "smaller first": order(True)}
print("sglang 0.5.23, three requests that arrive without a priority, with 0 and with 1:")
for how, names in seen.items():
    print(f"  {how}: expected the one without beside 0, seen {', '.join(names)}")
if seen != {"larger first": ["1", "0", "none"], "smaller first": ["0", "1", "none"]}:
    print("The behaviour is another one than described.")
    sys.exit(1)
PY
python3 check.py
