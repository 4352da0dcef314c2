import { OPERATIONS } from "./generated/operations.ts";
import type { OperationId } from "./types.ts";

/** A method of HTTP that the contract uses. */
export type HttpMethod = "GET" | "PUT" | "POST" | "DELETE";

/** How to call an operation. */
export type Operation = {
  readonly method: HttpMethod;
  /** Path below `/api`, with parameters in braces. */
  readonly path: string;
  /** What a call takes after the path's parameters; undefined for nothing. `file` is a form with a file. */
  readonly input?: "body" | "form" | "file" | "query";
  /** Whether it returns a paginated list. */
  readonly isPaged?: true;
  /** Whether it ignores idempotency keys although it is a POST that asks no model. */
  readonly ignoresIdempotencyKey?: true;
};

/**
 * Whether the operations of a path ask a model, or count for one. They change nothing on the server, and those that fail cost
 * nothing, so that they can be repeated without an idempotency key.
 */
export const isModelPath = (path: string): boolean => /^(\/deployments\/{id})?\/v1\//.test(path);

/** Returns the names of the parameters in a path, in order. */
export const pathParametersOf = (path: string): string[] => [...path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => name);

/** A tree of values by the names of operations: `a.b.c` is at `tree.a.b.c`. */
export type OperationTree<T> = { [name: string]: T | OperationTree<T> };

/** Creates a value for every operation, at the place of its name: `models.list` becomes `tree.models.list`. */
export function mapOperations<T>(create: (operation: Operation, id: OperationId) => T): OperationTree<T> {
  const tree: OperationTree<T> = {};
  for (const [id, operation] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    const names = id.split(".");
    const last = names.pop() ?? "";
    let node = tree;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as OperationTree<T>;
    }
    node[last] = create(operation, id);
  }
  return tree;
}
