/** Writes `generated/`: the contract as one document, its types, the tables of permissions and scopes, and who must sign in. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addCommonResponses, type DocumentWithResponses } from "./common-responses.ts";
import { renderErrorPage } from "./error-page.ts";
import { listExampleCodes, readErrors } from "./errors.ts";
import { type DocumentWithBodies, listUnnamedBodies } from "./named-bodies.ts";
import { addPermissions, readPermissions, renderPermissionsModule } from "./permissions.ts";
import { addPlainTextRule, type DocumentWithRequests } from "./plain-texts.ts";
import { checkScopes, readScopes, renderScopesModule } from "./scopes.ts";
import { renderSignedInOperations } from "./signed-in-operations.ts";

type DocumentWithWebhooks = { webhooks: Record<string, Record<string, { operationId?: string }>> };
type DocumentWithSchemas = { components: { schemas: Record<string, { enum?: string[] }> } };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const bundlePath = here("generated/openapi.json");
mkdirSync(here("generated"), { recursive: true });
execFileSync(here("node_modules/.bin/redocly"), ["bundle", here("openapi.yaml"), "-o", bundlePath], {
  cwd: here("."),
  stdio: ["ignore", "ignore", "pipe"],
});
const document = JSON.parse(readFileSync(bundlePath, "utf8")) as DocumentWithResponses &
  DocumentWithBodies &
  DocumentWithSchemas &
  DocumentWithRequests &
  DocumentWithWebhooks;
const permissions = readPermissions();
const scopes = readScopes();
const errors = readErrors();
addCommonResponses(document);
addPlainTextRule(document);
removeWebhookIds(document);
refuseUnknownCodes(document);
refuseUnnamedBodies(document);
addPermissions(document, permissions);
checkScopes(document, scopes);
writeFileSync(bundlePath, `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(here("generated/permissions.ts"), renderPermissionsModule(permissions));
writeFileSync(here("generated/scopes.ts"), renderScopesModule(scopes));
writeFileSync(here("generated/signed-in-operations.ts"), renderSignedInOperations(document));
writeFileSync(here("../packages/web/content/docs/error-codes.md"), renderErrorPage(errors));
writeTypes(document);

/** Takes the ids of webhooks away, which the linter demands: they would be taken for calls that this server answers. */
function removeWebhookIds({ webhooks }: DocumentWithWebhooks): void {
  for (const webhook of Object.values(webhooks))
    for (const operation of Object.values(webhook)) delete operation.operationId;
}

/** Writes the types, in which the values of `x-values` are literals, and files are blobs. */
function writeTypes(document: object): void {
  const output = here("generated/schema.ts");
  const folder = mkdtempSync(join(tmpdir(), "feather-contract-"));
  const input = join(folder, "openapi.json");
  try {
    writeFileSync(
      input,
      JSON.stringify(document, (_, value) => withValues(value)),
    );
    execFileSync(here("node_modules/.bin/openapi-typescript"), [input, "-o", output, "--alphabetize=false"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const types = readFileSync(output, "utf8");
    writeFileSync(
      output,
      types.replaceAll(
        /("application\/(?:octet-stream|pdf)"|"audio\/\*"|\b(?:Sound|Document)File): string/g,
        "$1: Blob",
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a schema with its `x-values` as `enum`, and other values unchanged. */
function withValues(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("x-values" in value)) return value;
  return { ...value, enum: value["x-values"] };
}

/** Throws when an example of an error response has a code that errors.yaml lacks. */
function refuseUnknownCodes({ paths, components }: DocumentWithResponses): void {
  const known = new Set(errors.flatMap(({ errors: entries }) => entries.map(({ code }) => code)));
  const unknown = listExampleCodes({ paths, components }).filter((code) => !known.has(code));
  if (unknown.length > 0) throw new Error(`errors.yaml lacks codes of examples: ${unknown.join(", ")}.`);
}

/** Throws when a body has a schema without a name. */
function refuseUnnamedBodies(document: DocumentWithBodies): void {
  const unnamed = listUnnamedBodies(document);
  if (unnamed.length > 0)
    throw new Error(`Move the schemas of these bodies to schemas/<resource>/: ${unnamed.join(", ")}.`);
}
