import { type OperationEntry, successOf } from "./contract.ts";

/** Renders `examples.ts`: status, media type and value of the first success example of every operation. */
export function renderExamplesFile(entries: readonly OperationEntry[]): string {
  const lines = entries.map((entry) => `  ${JSON.stringify(entry.id)}: ${JSON.stringify(exampleOf(entry))},`);
  return `/** An answer of every operation, from the examples of the contract. Generated; do not edit. */
import type { OperationId } from "../types.ts";

export type Example = { status: number; type?: string; value?: unknown };

export const EXAMPLES: Record<OperationId, Example> = {
${lines.join("\n")}
};
`;
}

function exampleOf(entry: OperationEntry): { status: number; type?: string; value?: unknown } {
  const { status, content } = successOf(entry);
  // Operations that always stream have their example as events, not as the JSON of one event.
  const type = entry.id.endsWith(".stream") ? "text/event-stream" : Object.keys(content)[0];
  const [example] = Object.values((type === undefined ? undefined : content[type])?.examples ?? {});
  return type === undefined ? { status } : { status, type, value: example?.value };
}
