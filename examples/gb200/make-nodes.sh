#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes cluster/nodes.yaml: 4 GB200 NVL72 racks of 18 trays with 4 GPUs each. Racks 3 and 4 are degraded: two trays are cordoned,
# one is down, one has 3 GPUs. Run it after a change: examples/gb200/make-nodes.sh > examples/gb200/cluster/nodes.yaml
set -eu

awk 'BEGIN {
  print "# Made by make-nodes.sh: 72 trays in 4 racks. The script says which trays are broken."
  print "apiVersion: v1"
  print "kind: List"
  print "items:"
  for (rack = 1; rack <= 4; rack++) {
    for (tray = 1; tray <= 18; tray++) {
      name = sprintf("gb-r%02d-n%02d", rack, tray)
      cordoned = (rack == 3 && tray == 5) || (rack == 4 && tray == 18)
      down = rack == 4 && tray == 10
      short_of_one = rack == 3 && tray == 12
      first = rack == 1 && tray == 1
      print "- apiVersion: v1"
      print "  kind: Node"
      print "  metadata:"
      print "    name: " name
      print "    labels:"
      print "      topology.kubernetes.io/zone: eu-1a"
      printf "      nvidia.com/gpu.clique: 7d1b8a52-0c3e-4f7a-9a61-5be0c1d2f3a%d.%d\n", rack, 32765 + rack
      print "      network.topology.nvidia.com/accelerator: nvl-" rack
      print "      kubernetes.io/hostname: " name
      if (first) {
        print "  spec:"
        print "    taints: &gpu"
        print "    - {key: nvidia.com/gpu, value: present, effect: NoSchedule}"
        print "  status:"
        print "    allocatable: &tray {cpu: 143900m, memory: 955Gi, nvidia.com/gpu: \"4\", pods: \"110\"}"
        print "    capacity: *tray"
        print "    conditions: &ready"
        print "    - {type: Ready, status: \"True\"}"
        continue
      }
      print "  spec: {taints: *gpu" (cordoned ? ", unschedulable: true" : "") "}"
      print "  status:"
      allocatable = short_of_one ? "{cpu: 143900m, memory: 955Gi, nvidia.com/gpu: \"3\", pods: \"110\"}" : "*tray"
      print "    allocatable: " allocatable
      print "    capacity: *tray"
      print "    conditions: " (down ? "[{type: Ready, status: Unknown}]" : "*ready")
    }
  }
}'
