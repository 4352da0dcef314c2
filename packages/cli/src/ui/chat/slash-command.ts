import { findNearest } from "../../suggest.ts";

/** A command of the conversation, such as `/model`. */
export type SlashCommand =
  | { readonly type: "help" | "clear" | "retry" | "leave" }
  | { readonly type: "model"; readonly id: string | null }
  | { readonly type: "system"; readonly text: string | null }
  | { readonly type: "file" | "image" | "save"; readonly path: string | null }
  | { readonly type: "unknown"; readonly name: string };

/** The text of `/help`. */
export const HELP_TEXT = `/model [id]     talk to another model, or say which it is
/system [text]  give instructions, or take them back
/retry          ask the last prompt again
/file <path>    send a text, PDF, DOCX or XLSX file with the next prompt
/image <path>   send a picture with the next prompt, a file or an address
/clear          forget the conversation
/save [file]    write the conversation to a Markdown file
/bye            leave
Alt-Enter, Ctrl-J or a \\ at the end starts a new line. Tab completes commands and file names, arrows and Ctrl-R bring
earlier prompts back, Ctrl-X Ctrl-E opens the prompt in $EDITOR. Ctrl-C stops the answer, Ctrl-Z suspends, Ctrl-D leaves.`;

/** The names of all commands. */
export const SLASH_NAMES = [
  "bye",
  "clear",
  "exit",
  "file",
  "help",
  "image",
  "model",
  "quit",
  "retry",
  "save",
  "system",
];
/** The commands that take a file name. */
export const FILE_COMMANDS: readonly string[] = ["file", "image", "save"];

/**
 * Parses a command of the conversation; null for a prompt. A text that begins like a command is a prompt, unless it is a
 * single word or a command mistyped.
 */
export function parseSlashCommand(text: string): SlashCommand | null {
  const [, name, rest = ""] = /^\/(\w*|\?)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  const argument = rest.trim() === "" ? null : rest.trim();
  switch (name.toLowerCase()) {
    case "help":
    case "?":
      return { type: "help" };
    case "clear":
      return { type: "clear" };
    case "retry":
      return { type: "retry" };
    case "bye":
    case "exit":
    case "quit":
      return { type: "leave" };
    case "model":
      return { type: "model", id: argument };
    case "system":
      return { type: "system", text: argument };
    case "file":
      return { type: "file", path: argument };
    case "image":
      return { type: "image", path: argument };
    case "save":
      return { type: "save", path: argument };
    default:
      return argument === null || findNearest(name, SLASH_NAMES).length > 0 ? { type: "unknown", name } : null;
  }
}
