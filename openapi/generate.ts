/** Writes `generated/`: the contract as one document, its types, the table of roles and permissions, and who must sign in. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addCommonResponses, type DocumentWithResponses } from "./common-responses.ts";
import { renderErrorPage } from "./error-page.ts";
import { listExampleCodes, readErrors } from "./errors.ts";
import { addPermissions, readPermissions, renderPermissionsModule } from "./permissions.ts";
import { renderSignedInOperations } from "./signed-in-operations.ts";

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
const errors = readErrors();
addCommonResponses(document);
refuseUnknownCodes(document);
addPermissions(document, permissions);
writeFileSync(bundlePath, `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(here("generated/permissions.ts"), renderPermissionsModule(permissions));
writeFileSync(here("generated/signed-in-operations.ts"), renderSignedInOperations(document));
writeFileSync(here("../packages/web/content/docs/error-codes.md"), renderErrorPage(errors));
execFileSync(
  here("node_modules/.bin/openapi-typescript"),
  [bundlePath, "-o", here("generated/schema.ts"), "--alphabetize=false"],
  { stdio: ["ignore", "ignore", "pipe"] },
);

/** Throws when an example of an error response has a code that errors.yaml lacks. */
function refuseUnknownCodes({ paths, components }: DocumentWithResponses): void {
  const known = new Set(errors.flatMap(({ errors: entries }) => entries.map(({ code }) => code)));
  const unknown = listExampleCodes({ paths, components }).filter((code) => !known.has(code));
  if (unknown.length > 0) throw new Error(`errors.yaml lacks codes of examples: ${unknown.join(", ")}.`);
}
