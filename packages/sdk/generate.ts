/** Derives `src/generated/` and `api.md` from the contract: types with real dates, the table of calls, their methods, and examples. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readErrors } from "@feather/openapi/errors";
import { renderApiPage } from "./generator/api-page.ts";
import { contractFile, entries, inputKindOf } from "./generator/contract.ts";
import { replaceDateTypes } from "./generator/dates.ts";
import { renderErrorCodesFile } from "./generator/error-codes.ts";
import { renderExamplesFile } from "./generator/examples.ts";
import { renderResourcesFile } from "./generator/resources.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const writeGenerated = (name: string, text: string): void => writeFileSync(here(name), text);

mkdirSync(here("src/generated"), { recursive: true });

const routes = entries.map(
  (entry) => `  ${JSON.stringify(entry.id)}: "${`${entry.method} ${entry.path} ${inputKindOf(entry)}`.trim()}",`,
);

writeGenerated("src/generated/schema.ts", replaceDateTypes(contractFile("@feather/openapi/schema")));
writeGenerated("src/generated/resources.ts", renderResourcesFile(entries));
writeGenerated("src/generated/examples.ts", renderExamplesFile(entries));
const errors = readErrors().flatMap((section) => section.errors);
writeGenerated("src/generated/error-codes.ts", renderErrorCodesFile(errors));
writeGenerated("api.md", renderApiPage(entries));
writeGenerated(
  "src/generated/routes.ts",
  `/** Method, path and kind of input (b: body, f: form, q: query) of every operation. Generated; do not edit. */
export const ROUTES: Record<string, string> = {
${routes.join("\n")}
};
`,
);
