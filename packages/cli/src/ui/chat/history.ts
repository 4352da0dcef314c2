import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const MAX_PROMPTS = 500;

/** Reads the prompts of earlier conversations, oldest first; none when the file is missing or unreadable. */
export function readHistory(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line))
      .filter((prompt): prompt is string => typeof prompt === "string");
  } catch {
    return [];
  }
}

/** Stores the last prompts, without repetitions, readable by their owner only. Write errors are ignored. */
export function writeHistory(path: string, prompts: readonly string[]): void {
  const recent = prompts.filter((prompt, index) => prompt !== prompts[index + 1]).slice(-MAX_PROMPTS);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, recent.map((prompt) => `${JSON.stringify(prompt)}\n`).join(""), { mode: 0o600 });
  } catch {
    // A full or read-only disk.
  }
}
