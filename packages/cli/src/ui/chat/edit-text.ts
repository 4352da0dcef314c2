import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../errors.ts";

/**
 * Opens a text in the person's preferred editor, and returns the saved text without the line break at its end. The
 * temporary file is readable by its owner only, and deleted. Throws `UsageError` when the editor cannot be started or
 * reports a failure.
 */
export async function editText(text: string, editor: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "feather-prompt-"));
  try {
    const file = join(folder, "prompt.md");
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(editor, file);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the editor in a shell, since its command may have flags, and waits for its end. */
async function runEditor(editor: string, file: string): Promise<void> {
  const child =
    process.platform === "win32"
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
      : spawn("/bin/sh", ["-c", `${editor} "$0"`, file], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new UsageError(`${editor} ended with ${code}`, "VISUAL or EDITOR names another editor");
}
