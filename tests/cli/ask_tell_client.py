"""The other side of `netsettle ask-tell`, in another language: runs the trials of a made-up server.

Usage: ask_tell_client.py [--die-after N] NETSETTLE ARGUMENT...
With --die-after netsettle is killed (SIGKILL) after N tells, and the client ends. Prints what it saw as JSON.
"""
import json
import subprocess
import sys


def main():
    arguments = sys.argv[1:]
    die_after = None
    if arguments[0] == "--die-after":
        die_after = int(arguments[1])
        arguments = arguments[2:]
    child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(message):
        child.stdin.write(json.dumps(message) + "\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())

    trials = []
    while True:
        answer = say({"ask": {}})
        if "done" in answer:
            break
        trial, configuration = answer["trial"], answer["configuration"]
        value = 1000 + 40 * configuration["threads"] + trial % 3
        if configuration["io_model"] == "io_uring" and configuration["batch"] > 100:
            told = {"trial": trial, "failed": "crash"}
        else:
            told = {"trial": trial, "value": value, "metrics": {"lost_percent": 0.0}}
        assert say({"tell": told}) == {"ok": True}
        trials.append(trial)
        if die_after is not None and len(trials) == die_after:
            say({"ask": {}})  # this one stays open
            child.kill()
            child.wait()
            print(json.dumps({"trials": trials}))
            return 0
    child.stdin.close()
    print(json.dumps({"trials": trials, "done": answer["done"], "status": child.wait()}))
    return 0


sys.exit(main())
