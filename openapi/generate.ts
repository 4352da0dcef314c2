/** Writes `generated/`: the contract as one document, its types, and the table of roles and permissions. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addCommonResponses, type DocumentWithResponses } from "./common-responses.ts";
import { addPermissions, readPermissions, renderPermissionsModule } from "./permissions.ts";

type DocumentWithSchemas = { components: { schemas: Record<string, { enum?: string[] }> } };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const bundlePath = here("generated/openapi.json");
mkdirSync(here("generated"), { recursive: true });
execFileSync(here("node_modules/.bin/redocly"), ["bundle", here("openapi.yaml"), "-o", bundlePath], {
  cwd: here("."),
  stdio: ["ignore", "ignore", "pipe"],
});
const document = JSON.parse(readFileSync(bundlePath, "utf8")) as DocumentWithResponses & DocumentWithSchemas;
const permissions = readPermissions();
addCommonResponses(document);
addPermissions(document, permissions);
writeFileSync(bundlePath, `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(here("generated/permissions.ts"), renderPermissionsModule(permissions));
execFileSync(
  here("node_modules/.bin/openapi-typescript"),
  [bundlePath, "-o", here("generated/schema.ts"), "--alphabetize=false"],
  { stdio: ["ignore", "ignore", "pipe"] },
);
