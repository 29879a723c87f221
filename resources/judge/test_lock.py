"""Your lock under judgement, for pytest: LOCK_PROGRAM="python3 my_lock.py" pytest test_lock.py

LOCKSCOPE_CLI names another lockscope-cli than the one that is found in the path, LOCK_OPTIONS has more options for it, such
as "--clients 5 --duration 60s". Each seed is a test.
"""
import json
import os
import shlex
import subprocess

import pytest


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("faults", ["gentle", "harsh"])
def test_the_lock_is_right(faults, seed):
    words = {name: shlex.split(os.environ.get(name, "")) for name in ("LOCK_OPTIONS", "LOCK_PROGRAM")}
    judge = [os.environ.get("LOCKSCOPE_CLI", "lockscope-cli"), "judge", "--faults", faults, "--seed", str(seed),
             "--report", "-", "--quiet", *words["LOCK_OPTIONS"], "--", *words["LOCK_PROGRAM"]]
    run = subprocess.run(judge, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout, run.stderr
    report = json.loads(run.stdout)
    wrong = [f"{rule['name']}: {rule['what']} {rule['advice']}" for rule in report["rules"] if rule["violated"]]
    assert report["verdict"] == "sound", report["not_judged"] or "\n".join(wrong)
