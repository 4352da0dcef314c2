import { typeNameOf } from "./contract.ts";

/** Where the schemas are in the module of openapi-typescript, and how deep. */
const SCHEMAS_START = "\n    schemas: {\n";
const SCHEMAS_END = "\n    };\n";
const INDENT = " ".repeat(8);

/** The types of the contract: `schemas` has a named type for every schema, and `operations` all else, which refers to them. */
export type SchemaModules = { schemas: string; operations: string };

/**
 * Splits the module of openapi-typescript in two. Editors show a type by its name where the name is declared, as
 * `type ApiKey = {…}`, and as an anonymous structure where it is a property of another type, as openapi-typescript has it.
 */
export function splitSchemaTypes(module: string, names: readonly string[]): SchemaModules {
  const start = module.indexOf(SCHEMAS_START);
  const end = module.indexOf(SCHEMAS_END, start);
  if (start < 0 || end < 0) throw new Error("The module of openapi-typescript has another form than before.");
  const declarations = module.slice(start + SCHEMAS_START.length, end);
  const rest = `${module.slice(0, start)}\n    schemas: Schemas;\n${module.slice(end + SCHEMAS_END.length)}`;
  return { schemas: renderSchemas(declarations, names), operations: renderOperations(rest) };
}

function renderSchemas(declarations: string, names: readonly string[]): string {
  const types = declarations
    .split("\n")
    .map((line) => (line.startsWith(INDENT) ? line.slice(INDENT.length) : line))
    .map((line) => line.replace(/^(\w+): /, (_, name: string) => `export type ${typeNameOf(name)} = `))
    .join("\n");
  const entries = names.map((name) => `  ${name}: ${typeNameOf(name)};`).join("\n");
  return `/** The schemas of the contract by their names. Generated; do not edit. */

/** The schemas by their names, such as Schemas["Model"]. */
export type Schemas = {
${entries}
};

${nameReferences(tidyComments(types), "")}
`;
}

function renderOperations(rest: string): string {
  return `import type * as named from "./schemas.ts";
import type { Schemas } from "./schemas.ts";

${nameReferences(tidyComments(rest), "named.")}`;
}

/** Replaces `components["schemas"]["Model"]` by the name of the type. */
function nameReferences(text: string, prefix: string): string {
  return text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (_, name: string) => prefix + typeNameOf(name));
}

/** Removes the tags that editors would show as text, and what the type says already. */
function tidyComments(text: string): string {
  return text
    .replaceAll(/^\s*\* (?:@enum \{.*\}|@constant|Format: date(?:-time)?)\n/gm, "")
    .replaceAll("@description ", "");
}
