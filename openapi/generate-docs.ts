/** Writes docs/access.md: who may make which call. Reads the bundle, so `generate.ts` runs first. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AccessOperation, renderAccessTable } from "./access-table.ts";
import { readPermissions } from "./permissions.ts";

type Document = { paths: Record<string, Record<string, AccessOperation>> };

const METHODS = ["get", "put", "post", "delete"];
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const { paths } = JSON.parse(readFileSync(here("generated/openapi.json"), "utf8")) as Document;
const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
writeFileSync(here("../docs/access.md"), renderAccessTable(operations, readPermissions()));
