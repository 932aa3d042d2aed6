#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows what Tessera does, on this folder's cluster: the rack map before, `schedule`, why one job waits, why one job can
# never fit, and the rack map after. Argument: the tessera binary (default: the binary that `make demo` builds).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
binary=${1:-$here/../../build/release/app/tessera}
folder=$(cd "$(dirname "$binary")" && pwd)
binary=$folder/$(basename "$binary")
cd "$here"

run() {
  printf '$ tessera %s\n' "$*"
  "$binary" "$@" 2>&1
}

run rackmap -q -C cluster
run schedule -C cluster -f jobs --exit-zero
run explain job/sweep -q -C cluster -f jobs --exit-zero
run explain job/giant -q -C cluster -f jobs --exit-zero
run rackmap -q --by gang -C cluster -f jobs
printf '\nThe binary: %s\nYour cluster:\n' "$binary"
# shellcheck disable=SC2016  # the reader's shell expands it
printf '  for kind in nodes pods namespaces limitranges runtimeclasses priorityclasses jobs jobsets topologies resourceflavors cohorts clusterqueues localqueues admissionchecks workloadpriorityclasses workloads; do kubectl get $kind -A -o json; done > dump.json\n'
printf '  %s schedule -C dump.json -f your-job.yaml\n' "$binary"
