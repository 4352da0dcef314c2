import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";
import type { Choice } from "./prompts.ts";

/** How a person chooses a thing that the command line does not name. */
export type ItemPicker<Item, Value = string> = {
  /** The label of the question: `Key`. */
  readonly label: string;
  /** What to write on the command line instead: `the key's name or id: feather keys list`. */
  readonly alternative: string;
  /** Message and hint of the error when there is nothing to choose from. */
  readonly empty: readonly [message: string, hint: string];
  /** Requests the things; called only when a person can be asked. */
  list(): PromiseLike<readonly Item[]>;
  toChoice(item: Item): Choice<Value>;
};

/**
 * Lets the person choose one of several things, and returns its value. Throws `UsageError` that names the alternative when
 * nobody can be asked, and one that says what to do when there is nothing to choose from.
 */
export async function pickItem<Item, Value>(
  { interactive, pick }: Pick<Context, "interactive" | "pick">,
  { label, alternative, empty, list, toChoice }: ItemPicker<Item, Value>,
): Promise<Value> {
  if (!interactive) return pick(label, [], alternative);
  const items = await list();
  if (items.length === 0) throw new UsageError(...empty);
  return pick(label, items.map(toChoice), alternative);
}
