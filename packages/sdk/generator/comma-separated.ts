import type { OperationEntry } from "./contract.ts";

/** A pattern of one or several values with commas between. */
const LIST_PATTERN = /^\^\(([^()]+)\)\(,\(\1\)\)\*\$$/;

/** Returns the types of the operations with the values of lists in queries, in place of `string`. */
export function typeCommaSeparated(operations: string, entries: readonly OperationEntry[]): string {
  const typed = entries.reduce((text, entry) => {
    const lists = entry.parameters.flatMap(({ name, schema }) => {
      const [, values] = LIST_PATTERN.exec(schema?.pattern ?? "") ?? [];
      return name === undefined || values === undefined ? [] : [{ name, values: values.split("|") }];
    });
    return lists.reduce((current, { name, values }) => typeList(current, entry.id, name, values), text);
  }, operations);
  return `import type { CommaSeparated } from "../call/comma-separated.ts";\n${typed}`;
}

function typeList(text: string, id: string, name: string, values: readonly string[]): string {
  const start = text.indexOf(`\n    "${id}": {\n`);
  const property = `\n                ${name}?: `;
  const at = text.indexOf(`${property}string;`, start);
  if (start < 0 || at < 0) throw new Error(`The types have no query parameter ${name} of ${id}.`);
  const union = values.map((value) => JSON.stringify(value)).join(" | ");
  return `${text.slice(0, at)}${property}CommaSeparated<${union}>;${text.slice(at + property.length + "string;".length)}`;
}
