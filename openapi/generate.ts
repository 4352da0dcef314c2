/** Bundles the contract and derives `generated/`: the document, its types, and the table of operations. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AccessOperation, renderAccessTable } from "./access-table.ts";
import { addCommonResponses, type DocumentWithResponses } from "./common-responses.ts";

type Operation = AccessOperation & { "x-origin"?: string };
type Document = { paths: Record<string, Record<string, Operation>> };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const METHODS = ["get", "put", "post", "delete"];

const bundlePath = here("generated/openapi.json");
execFileSync(here("node_modules/.bin/redocly"), ["bundle", here("openapi.yaml"), "-o", bundlePath], {
  cwd: here("."),
  stdio: ["ignore", "ignore", "pipe"],
});
const withCommonResponses = JSON.parse(readFileSync(bundlePath, "utf8")) as DocumentWithResponses;
addCommonResponses(withCommonResponses);
writeFileSync(bundlePath, `${JSON.stringify(withCommonResponses, null, 2)}\n`);
execFileSync(
  here("node_modules/.bin/openapi-typescript"),
  [bundlePath, "-o", here("generated/schema.ts"), "--alphabetize=false"],
  { stdio: ["ignore", "ignore", "pipe"] },
);

const document = JSON.parse(readFileSync(bundlePath, "utf8")) as Document;
const rows = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation
      ? [[operation.operationId, `${method.toUpperCase()} ${path}`, operation["x-origin"] === "extension"] as const]
      : [];
  }),
);
const lines = rows.map(
  ([id, route, extension]) => `  ${JSON.stringify(id)}: { route: ${JSON.stringify(route)}, extension: ${extension} },`,
);
const header = "/** Every operation of the contract: its method and path below `/api`. Generated; do not edit. */\n";
writeFileSync(
  here("generated/operations.ts"),
  `${header}export const OPERATIONS = {\n${lines.join("\n")}\n} as const;\n`,
);
const operations = Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
writeFileSync(here("generated/access.md"), renderAccessTable(operations));
