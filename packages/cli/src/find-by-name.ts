import { ResourceNotFoundError, UsageError } from "./errors.ts";
import { findNearest } from "./suggest.ts";

/**
 * Returns the only resource with a name. `noun` is what it is called, `key`, and `list` the command that lists all. Throws
 * `UsageError` when several have the name, and `ResourceNotFoundError` with the closest one when none has it.
 */
export function findByName<Item extends { readonly id: string; readonly name: string }>(
  name: string,
  items: readonly Item[],
  { noun, list }: { readonly noun: string; readonly list: string },
): Item {
  const [found, duplicate] = items.filter((item) => item.name === name);
  if (duplicate !== undefined)
    throw new UsageError(`several ${noun}s are called ${name}`, `the id of one of them: ${list}`);
  if (found !== undefined) return found;
  const [close] = findNearest(
    name,
    items.map((item) => item.name),
  );
  throw new ResourceNotFoundError(
    `there is no ${noun} called ${name}`,
    close === undefined ? list : `did you mean ${close}?`,
  );
}
