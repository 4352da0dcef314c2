import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { kubectl, type RealCluster } from "./cluster.ts";
import { readSchemas, SCHEMA_FILE } from "./schemas.ts";

/** Expects that the stand-in's schemas equal those of a cluster, for the fields that the documents use. */
export async function expectRecorded(
  cluster: RealCluster,
  documents: Parameters<typeof readSchemas>[1],
): Promise<void> {
  const schemas = await readSchemas(async (path) => JSON.parse(kubectl(cluster, "get", "--raw", path)), documents);
  expect(Object.keys(schemas)).not.toEqual([]);
  const recorded = JSON.parse(readFileSync(SCHEMA_FILE, "utf8"));
  expect(Object.fromEntries(Object.keys(schemas).map((name) => [name, recorded[name]]))).toEqual(schemas);
}
