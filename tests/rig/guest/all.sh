#!/bin/bash
# The checks of one guest: all.sh SUBJECT…; a subject is a file beside this one, with its function check_SUBJECT.
set -u
here=${BASH_SOURCE[0]%/*}
exec 3>/dev/ttyS1
# shellcheck source=report.sh
. "$here/report.sh"
# shellcheck source=machine.sh
. "$here/machine.sh"
# shellcheck source=trial.sh
. "$here/trial.sh"
# shellcheck source=discovery.sh
. "$here/discovery.sh"
# shellcheck source=spreads.sh
. "$here/spreads.sh"
# shellcheck source=killed.sh
. "$here/killed.sh"
# shellcheck source=channels.sh
. "$here/channels.sh"
# shellcheck source=irqbalance.sh
. "$here/irqbalance.sh"

set_up_machine
for subject in "$@"; do "check_$subject"; done
report_end
