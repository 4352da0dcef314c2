/** Derives `src/generated/` and `api.md` from the contract: types with real dates, the operations, their methods, and
 * examples. Writes the site's page about the SDK, too, which is the README. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readErrors } from "@feather/openapi/errors";
import { APPLICATION_SCOPES, SCOPE_DESCRIPTIONS, SCOPES } from "@feather/openapi/scopes";
import { renderApiPage } from "./generator/api-page.ts";
import { typeCommaSeparated } from "./generator/comma-separated.ts";
import { contractFile, document, entries } from "./generator/contract.ts";
import { replaceDateTypes } from "./generator/dates.ts";
import { renderErrorCodesFile } from "./generator/error-codes.ts";
import { renderExamplesFile } from "./generator/examples.ts";
import { renderOperationsFile } from "./generator/operations.ts";
import { renderResourcesFile } from "./generator/resources.ts";
import { splitSchemaTypes } from "./generator/schemas.ts";
import { renderScopesFile } from "./generator/scopes.ts";
import { renderSitePage } from "./generator/site-page.ts";
import { renderVersionFile } from "./generator/version.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const writeGenerated = (name: string, text: string): void => writeFileSync(here(name), text);

mkdirSync(here("src/generated"), { recursive: true });

const types = splitSchemaTypes(
  replaceDateTypes(contractFile("@feather/openapi/schema")),
  Object.keys(document.components.schemas),
);
writeGenerated("src/generated/schema.ts", typeCommaSeparated(types.operations, entries));
writeGenerated("src/generated/schemas.ts", types.schemas);
writeGenerated("src/generated/resources.ts", renderResourcesFile(entries));
writeGenerated("src/generated/examples.ts", renderExamplesFile(entries));
const errors = readErrors().flatMap((section) => section.errors);
writeGenerated("src/generated/error-codes.ts", renderErrorCodesFile(errors));
writeGenerated("api.md", renderApiPage(entries));
writeGenerated("../web/content/docs/sdk.md", renderSitePage(readFileSync(here("README.md"), "utf8")));
writeGenerated("src/generated/operations.ts", renderOperationsFile(entries));
const applicationIds = APPLICATION_SCOPES.map(({ id }) => id);
writeGenerated(
  "src/generated/scopes.ts",
  renderScopesFile({ ids: SCOPES, descriptions: SCOPE_DESCRIPTIONS, applicationIds }),
);
writeGenerated("src/generated/version.ts", renderVersionFile(readFileSync(here("package.json"), "utf8")));
