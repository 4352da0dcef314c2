import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { type Command, toModelCommand } from "./commands.ts";

const KEY = "palette-recent";
const MAX_RECENT = 5;
const MODEL_PREFIX = "model ";

function readIds(storage: KeyValueStore): string[] {
  try {
    const value: unknown = JSON.parse(storage.get(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Saves a chosen page as the most recent one; other commands are not saved. */
export function rememberCommand(storage: KeyValueStore, { id, action }: Pick<Command, "id" | "action">): void {
  if (action.type !== "go") return;
  storage.set(KEY, JSON.stringify([id, ...readIds(storage).filter((other) => other !== id)].slice(0, MAX_RECENT)));
}

/** Returns the most recently chosen pages that the visitor may still open. */
export function readRecentCommands(storage: KeyValueStore, commands: readonly Command[]): Command[] {
  return readIds(storage).flatMap((id): Command[] => {
    const found = id.startsWith(MODEL_PREFIX)
      ? toModelCommand(id.slice(MODEL_PREFIX.length))
      : commands.find((one) => one.id === id);
    return found ? [{ ...found, group: "Recent" }] : [];
  });
}
