import { ignoresIdempotencyKey, inputKindOf, isPaged, type OperationEntry } from "./contract.ts";

/** Renders `operations.ts`: how to call every operation. */
export function renderOperationsFile(entries: readonly OperationEntry[]): string {
  const lines = entries.map((entry) => `  ${JSON.stringify(entry.id)}: ${JSON.stringify(describeOperation(entry))},`);
  return `/** Every operation of the contract. Generated; do not edit. */
import type { Operation } from "../operations.ts";
import type { OperationId } from "../types.ts";

export const OPERATIONS: Readonly<Record<OperationId, Operation>> = {
${lines.join("\n")}
};
`;
}

/** Returns how to call an operation. The path, which differs from all others, is last: compressed, the table is smaller so. */
function describeOperation(entry: OperationEntry): object {
  const { method, path } = entry;
  return {
    method,
    input: inputKindOf(entry),
    isPaged: isPaged(entry) || undefined,
    ignoresIdempotencyKey: ignoresIdempotencyKey(entry) || undefined,
    path,
  };
}
