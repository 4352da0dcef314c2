import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { kubectl, type RealCluster } from "./cluster.ts";
import { readSchemas, SCHEMA_FILE } from "./schemas.ts";

/** Whether the schemas of the cluster are written to the file, which `npm run format` then formats. */
const isRecording = process.env.RECORD_SCHEMAS === "on";

/** Expects that the stand-in's schemas equal those of a cluster, for the fields that the documents use. */
export async function expectRecorded(
  cluster: RealCluster,
  documents: Parameters<typeof readSchemas>[1],
): Promise<void> {
  const schemas = await readSchemas(async (path) => JSON.parse(kubectl(cluster, "get", "--raw", path)), documents);
  expect(Object.keys(schemas)).not.toEqual([]);
  const recorded = JSON.parse(readFileSync(SCHEMA_FILE, "utf8"));
  if (isRecording) {
    const entries = Object.entries({ ...recorded, ...schemas }).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(SCHEMA_FILE, JSON.stringify(Object.fromEntries(entries), null, 2));
    return;
  }
  expect(Object.fromEntries(Object.keys(schemas).map((name) => [name, recorded[name]]))).toEqual(schemas);
}
