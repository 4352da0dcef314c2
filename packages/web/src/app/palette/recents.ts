import type { TextStore } from "#/lib/storage.ts";
import { type Command, toModelCommand } from "./commands.ts";

const KEY = "palette-recent";
const MOST = 5;
const MODEL = "model ";

function read(storage: TextStore): string[] {
  try {
    const value: unknown = JSON.parse(storage.get(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Saves a chosen page as the most recent one; other commands are not saved. */
export function remember(storage: TextStore, { id, deed }: Pick<Command, "id" | "deed">): void {
  if (deed.does !== "go") return;
  storage.set(KEY, JSON.stringify([id, ...read(storage).filter((other) => other !== id)].slice(0, MOST)));
}

/** Returns the most recently chosen pages that the visitor may still open. */
export function recentCommands(storage: TextStore, commands: readonly Command[]): Command[] {
  return read(storage).flatMap((id): Command[] => {
    const found = id.startsWith(MODEL) ? toModelCommand(id.slice(MODEL.length)) : commands.find((one) => one.id === id);
    return found ? [{ ...found, group: "Recent" }] : [];
  });
}
