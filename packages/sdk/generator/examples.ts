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

/** Returns the text of an event, as server-sent events are written. */
function writeEvent(event: unknown): string {
  return `data: ${(event as { data: string }).data}\n\n`;
}

function exampleOf(entry: OperationEntry): { status: number; type?: string; value?: unknown } {
  const { status, content } = successOf(entry);
  const type = entry.id.endsWith(".stream") ? "text/event-stream" : Object.keys(content)[0];
  const [example] = Object.values((type === undefined ? undefined : content[type])?.examples ?? {});
  if (type === "text/event-stream") return { status, type, value: writeEvent(example?.value) };
  return type === undefined ? { status } : { status, type, value: example?.value };
}
