import { type Entry, successOf } from "./contract.ts";

/** For every operation: status, type and value of the contract's first example of a good answer. */
export function examplesFile(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => `  ${JSON.stringify(entry.id)}: ${JSON.stringify(exampleOf(entry))},`);
  return `/** An answer of every operation, from the examples of the contract. Generated; do not edit. */
import type { OperationId } from "../types.ts";

export type Example = { status: number; type?: string; value?: unknown };

export const EXAMPLES: Record<OperationId, Example> = {
${lines.join("\n")}
};
`;
}

function exampleOf(entry: Entry): { status: number; type?: string; value?: unknown } {
  const { status, content } = successOf(entry);
  // What always streams has its example as events, not as the JSON that each of them holds.
  const type = entry.id.endsWith(".stream") ? "text/event-stream" : Object.keys(content)[0];
  const [example] = Object.values((type === undefined ? undefined : content[type])?.examples ?? {});
  return type === undefined ? { status } : { status, type, value: example?.value };
}
