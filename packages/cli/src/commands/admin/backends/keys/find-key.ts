import type { Backend, BackendKey } from "@feather/sdk";
import type { Argument } from "../../../../command-line.ts";
import { ResourceNotFoundError } from "../../../../errors.ts";

/** The arguments that name a key of a backend. */
export const KEY_ARGUMENTS: readonly Argument[] = [
  { name: "<backend>", summary: "id of the backend: feather admin backends list" },
  { name: "<key>", summary: "id or label of the key: feather admin backends keys list" },
];

/** Returns the key of a backend with this id or label. Throws `ResourceNotFoundError`. */
export function findKey({ id, name, keys }: Backend, given: string): BackendKey {
  const key = keys.find((candidate) => candidate.id === given || candidate.label === given);
  if (!key) throw new ResourceNotFoundError(`${name} has no key ${given}`, `feather admin backends keys list ${id}`);
  return key;
}
