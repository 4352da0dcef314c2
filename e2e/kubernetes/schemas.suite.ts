import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { kubectl } from "./cluster.ts";
import { readSchemas, SCHEMA_FILE } from "./schemas.ts";

test("the schemas of the stand-in for a cluster are those of this cluster", async () => {
  const cluster = inject("cluster");
  const schemas = await readSchemas(async (path) => JSON.parse(kubectl(cluster, "get", "--raw", path)));
  expect(JSON.parse(readFileSync(SCHEMA_FILE, "utf8"))).toEqual(schemas);
});
