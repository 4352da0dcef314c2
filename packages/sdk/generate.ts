/** Derives `src/generated/` and `api.md` from the contract: types with real dates, the table of calls, their methods, and examples. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderApiPage } from "./generator/api-page.ts";
import { contractFile, entries, inputKindOf } from "./generator/contract.ts";
import { replaceDateTypes } from "./generator/dates.ts";
import { renderExamplesFile } from "./generator/examples.ts";
import { renderResourcesFile } from "./generator/resources.ts";
import { encodeTable } from "./generator/table.ts";

const writeGenerated = (name: string, text: string): void =>
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), text);

const routes = entries.map(
  (entry) => `  ${JSON.stringify(entry.id)}: "${`${entry.method} ${entry.path} ${inputKindOf(entry)}`.trim()}",`,
);

writeGenerated("src/generated/schema.ts", replaceDateTypes(contractFile("@feather/openapi/schema")));
writeGenerated("src/generated/resources.ts", renderResourcesFile(entries));
writeGenerated("src/generated/examples.ts", renderExamplesFile(entries));
writeGenerated("api.md", renderApiPage(entries));
writeGenerated(
  "src/generated/table.ts",
  `/** Every operation, densely, for the client itself; \`routes.ts\` says the same at length. Generated; do not edit. */
export const TABLE =
  ${JSON.stringify(encodeTable(entries))};
`,
);
writeGenerated(
  "src/generated/routes.ts",
  `/** Method, path and kind of input (b: body, f: form, q: query) of every operation. Generated; do not edit. */
export const ROUTES: Record<string, string> = {
${routes.join("\n")}
};
`,
);
