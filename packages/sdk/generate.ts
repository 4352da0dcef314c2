/** Derives `src/generated/` and `api.md` from the contract: types with real dates, the table of calls, their methods, and examples. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { apiPage } from "./generator/api-page.ts";
import { contractFile, entries, inputOf } from "./generator/contract.ts";
import { withDates } from "./generator/dates.ts";
import { examplesFile } from "./generator/examples.ts";
import { resourcesFile } from "./generator/resources.ts";
import { tableOf } from "./generator/table.ts";

const to = (name: string, text: string): void => writeFileSync(fileURLToPath(new URL(name, import.meta.url)), text);

const routes = entries.map(
  (entry) => `  ${JSON.stringify(entry.id)}: "${`${entry.method} ${entry.path} ${inputOf(entry)}`.trim()}",`,
);

to("src/generated/schema.ts", withDates(contractFile("@feather/openapi/schema")));
to("src/generated/resources.ts", resourcesFile(entries));
to("src/generated/examples.ts", examplesFile(entries));
to("api.md", apiPage(entries));
to(
  "src/generated/table.ts",
  `/** Every operation, densely, for the client itself; \`routes.ts\` says the same at length. Generated; do not edit. */
export const TABLE =
  ${JSON.stringify(tableOf(entries))};
`,
);
to(
  "src/generated/routes.ts",
  `/** Method, path and kind of input (b: body, f: form, q: query) of every operation. Generated; do not edit. */
export const ROUTES: Record<string, string> = {
${routes.join("\n")}
};
`,
);
