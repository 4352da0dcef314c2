import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
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
  "acme/out-of-memory": "out_of_memory",
  "acme/crashes": "crashes",
  "acme/hangs-at-start": "hangs_at_start",
};

/** Makes all images and loads them into the containerd of a cluster, whose files are in `state`. */
export function loadImages(state: string): void {
  const socket = join(state, "containerd.sock");
  const folder = mkdtempSync(join(tmpdir(), "feather-images-"));
  const makePauseRoot = (root: string) => cpSync(join(state, "pause/root"), root, { recursive: true });
  try {
    for (const [name, makeRoot] of [
      [PAUSE_IMAGE, makePauseRoot],
      [ENGINE_IMAGE, makeEngineRoot],
      [VLLM_IMAGE, makeVllmRoot],
    ] as const) {
      const root = join(folder, basename(name));
      makeRoot(root);
      const archive = join(folder, "image.tar");
      writeArchive(archive, name, root);
      run("ctr", ["-a", socket, "-n", "k8s.io", "images", "import", "--snapshotter", "native", archive]);
    }
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
    for (const library of listLibraries(program)) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
  }
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
function writeArchive(archive: string, name: string, root: string): void {
  const folder = mkdtempSync(join(dirname(archive), "archive-"));
  const layer = join(folder, "layer.tar");
  run("tar", ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-C", root, "-cf", layer, "."]);
  const digest = createHash("sha256").update(readFileSync(layer)).digest("hex");
  const config = JSON.stringify({
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    os: "linux",
    config: { Env: ["PATH=/usr/bin:/bin"], Entrypoint: ["/pause"] },
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
