import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE = new URL("../../../../../../web/content/docs/payment-drivers.md", import.meta.url);

/** Writes the payment driver of the documentation to a file, and returns its path. */
export async function writeExampleDriver(): Promise<{ path: string; remove(): Promise<void> }> {
  const page = await readFile(PAGE, "utf8");
  const [, code] = /```js\n([\s\S]*?)\n```/.exec(page) ?? [];
  if (code === undefined) throw new Error("The documentation has no payment driver.");
  return writeModule(code);
}

/** Writes a module to a file of its own, and returns its path. */
export async function writeModule(code: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "payment-module-"));
  const path = join(folder, "driver.mjs");
  await writeFile(path, code);
  return { path, remove: () => rm(folder, { recursive: true }) };
}
