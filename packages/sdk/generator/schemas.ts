/** A schema of the contract. */
export type NamedSchema = { description?: string };

/** Names that would hide a global of JavaScript. */
const RENAMED: Readonly<Record<string, string>> = { Error: "ErrorBody" };

/** Renders `schemas.ts`: a named type for every schema of the contract, with its description. */
export function renderSchemasFile(schemas: Readonly<Record<string, NamedSchema>>): string {
  const types = Object.entries(schemas).map(([name, { description }]) => {
    const doc = (description ?? `The schema ${name} of the contract.`).replaceAll("*/", "* /").trim();
    return `/** ${doc.replaceAll(/\s*\n\s*/g, " ")} */\nexport type ${RENAMED[name] ?? name} = Schemas[${JSON.stringify(name)}];`;
  });
  return `/** The schemas of the contract by their names. Generated; do not edit. */
import type { components } from "./schema.ts";

/** The schemas by their names, such as Schemas["Model"]. */
export type Schemas = components["schemas"];

${types.join("\n\n")}
`;
}
