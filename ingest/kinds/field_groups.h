// SPDX-License-Identifier: Apache-2.0
// Groups of fields that the tables of several kinds share: metadata, pods, jobs, nodes.
//
// Called by the tables of kinds (ingest/kinds/field_tables.cpp), which are made once. Source:
// k8s.io/api core/v1, batch/v1 and meta/v1 as of 1.37, with the fields that older versions had
// (clusterName, deprecatedServiceAccount, workloadRef, a claim's source). Maps with free keys
// (labels, requests) have no fields here, so they are not judged.
#pragma once

#include "ingest/fields/field_tree.h"

namespace tessera::ingest {

const FieldTree::Groups& field_groups();

}  // namespace tessera::ingest
