import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, demoModelPath, ENGINE_BINARY } from "../src/testing/engine-process.ts";

/** The folder that `bin/feather-engine.js` reads. */
const FOLDER = join(import.meta.dirname, "../dist/code");

/**
 * Loads the demonstration model once, so that Node keeps the engine's compiled code as it ends. Later starts take less
 * processor time and memory. Throws an Error if the engine fails.
 */
async function writeCodeCache(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  using folder = createTemporaryFolder();
  const args = [ENGINE_BINARY, "serve", demoModelPath(), "--socket", join(folder.path, "s"), "--stop-with-stdin"];
  const env = { ...process.env, NODE_COMPILE_CACHE: FOLDER, NODE_COMPILE_CACHE_PORTABLE: "1" };
  const engine = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  engine.stdout.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes('"ready"')) engine.stdin.end();
  });
  await assertSuccess(engine);
  allowReading();
}

async function assertSuccess(engine: ChildProcess): Promise<void> {
  const [code] = await once(engine, "close");
  if (code !== 0) throw new Error(`The engine ended with code ${code}.`);
}

/** Lets all users read the files: Node writes them for the current one, and engines may run as another one. */
function allowReading(): void {
  for (const entry of readdirSync(FOLDER, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);
}

await writeCodeCache();
