import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAKE_CONVERTER_COMMAND, type FakeConverterMode } from "@feather/testing/fake-converter";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SettingsError } from "../../../platform/core/settings.ts";
import { detectSandbox, type EngineSandbox } from "../processes/sandbox.ts";
import { findConverter } from "./converter-command.ts";
import { createConverterLog, readConvertedShare } from "./converter-log.ts";
import { createConverter } from "./gguf-converter.ts";

const sandbox = detectSandbox("auto");
const OFF: EngineSandbox = { state: "off" };
const BOTH = [OFF, ...(sandbox.state === "on" ? [sandbox] : [])];
const NEVER = new AbortController().signal;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "converter-"));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function create(engineSandbox: EngineSandbox, { command = FAKE_CONVERTER_COMMAND, timeLimitMs = 60_000 } = {}) {
  const options = { path: process.env.PATH, sandbox: engineSandbox, hidden: [join(folder, "data")], timeLimitMs };
  return createConverter(command, { ...options, log: { warn() {} } });
}

/** Writes a model for the stand-in below a data folder. Returns its conversion. */
function prepare(mode: FakeConverterMode = "works") {
  const work = join(folder, "data", "models", "conversions", "pull_1");
  const repository = join(work, "repository");
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(folder, "data", "secret"), "canary");
  writeFileSync(join(repository, "config.json"), JSON.stringify({ fake_converter: mode }).replace(":", ": "));
  writeFileSync(join(repository, "model.safetensors"), "weights");
  const shares: number[] = [];
  const output = join(work, "output", "model-Q8_0.gguf");
  return {
    folder: repository,
    output,
    maxBytes: 1_000_000,
    onProgress: (share: number) => void shares.push(share),
    shares,
  };
}

test.each(BOTH)("converts a model, and says how far it is, with the sandbox %j", async (engineSandbox) => {
  const converter = create(engineSandbox);
  const conversion = prepare();
  expect(await converter.findProblem()).toBeNull();
  await converter.convert(conversion, NEVER);
  expect(readFileSync(conversion.output, "utf8")).toBe("weights");
  expect(conversion.shares).toEqual([0, 0.5, 1]);
});

test.each(BOTH)(
  "gives the converter no settings, and keeps its libraries offline, with the sandbox %j",
  async (engineSandbox) => {
    vi.stubEnv("HF_TOKEN", "canary-token");
    vi.stubEnv("FEATHER_ADMIN_PASSWORD", "canary-password");
    const conversion = prepare("looks_around");
    // The converter is next to the data folder, so its own folder, which it may read, contains the data folder.
    const script = join(folder, "convert.sh");
    copyFileSync(FAKE_CONVERTER_COMMAND.slice("sh ".length), script);
    await create(engineSandbox, { command: `sh ${script}` }).convert(conversion, NEVER);
    const seen = readFileSync(conversion.output, "utf8");
    expect(seen).not.toContain("canary");
    expect(seen).toContain("HF_HUB_OFFLINE=1");
    if (engineSandbox.state === "on") expect(seen).not.toContain("secret");
  },
);

test.each([
  ["unsupported", "Model UnknownForCausalLM is not supported"],
  ["out_of_space", "OSError: [Errno 27] File too large"],
  ["writes_nothing", "It wrote no file. Loading model: repository"],
] as const)("a converter that fails with %s has its last words as the reason", async (mode, reason) => {
  await expect(create(OFF).convert(prepare(mode), NEVER)).rejects.toThrow(reason);
});

test("a file that gets too large is refused while it is written", async () => {
  const conversion = { ...prepare(), maxBytes: 512 };
  writeFileSync(join(conversion.folder, "model.safetensors"), "x".repeat(100_000));
  await expect(create(OFF).convert(conversion, NEVER)).rejects.toMatchObject({ name: "ConversionFailed" });
});

test.each(BOTH)("a canceled conversion ends its processes, with the sandbox %j", async (engineSandbox) => {
  const conversion = prepare("waits");
  const abort = new AbortController();
  const running = create(engineSandbox).convert(conversion, abort.signal);
  await expect.poll(() => conversion.shares).toEqual([0, 0.5]);
  abort.abort(new Error("canceled"));
  await expect(running).rejects.toThrow("canceled");
  writeFileSync(join(conversion.output, "..", "continue"), "");
  await expect.poll(() => processesWith(conversion.output)).toEqual([]);
});

test("a conversion that takes too long is ended", async () => {
  const conversion = prepare("waits");
  await expect(create(OFF, { timeLimitMs: 300 }).convert(conversion, NEVER)).rejects.toThrow("It took longer than");
  await expect.poll(() => processesWith(conversion.output)).toEqual([]);
});

test("a converter without its libraries is a problem, with what it said", async () => {
  const converter = create(OFF, { command: `${FAKE_CONVERTER_COMMAND} --without-torch` });
  expect(await converter.findProblem()).toBe(
    "The converter of FEATHER_GGUF_CONVERTER does not run: ModuleNotFoundError: No module named 'torch'",
  );
});

test("a program that is not the converter is a problem", async () => {
  expect(await create(OFF, { command: "echo" }).findProblem()).toContain("its help names no --outtype");
});

test("nothing is converted if the setting is off", async () => {
  const converter = createConverter(undefined, { path: "", sandbox: OFF, hidden: [], log: { warn() {} } });
  expect([converter.isSetUp, await converter.findProblem()]).toEqual([
    false,
    "FEATHER_GGUF_CONVERTER names no converter.",
  ]);
});

test("a script is run by python3 from the path, and a command as it is", () => {
  const python = join(folder, "python3");
  const script = join(folder, "convert hf.py");
  writeFileSync(python, "#!/bin/sh\n");
  chmodSync(python, 0o755);
  writeFileSync(script, "");
  const files = [python, script];
  expect(findConverter(script, folder)).toEqual({ command: python, args: [script], files, folders: [folder] });
  const plain = join(folder, "convert.py");
  writeFileSync(plain, "");
  const bin = join(folder, "venv", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "python"), "", { mode: 0o755 });
  expect(findConverter(`${join(bin, "python")} -u ${plain}`, "")).toEqual({
    command: join(bin, "python"),
    args: ["-u", plain],
    files: [join(bin, "python"), plain],
    folders: [join(folder, "venv"), folder],
  });
});

test.each([
  ["/nonexistent/convert_hf_to_gguf.py", /names \/nonexistent\/convert_hf_to_gguf\.py, which is no file/],
  ["/nonexistent/python convert.py", /needs \/nonexistent\/python, which is no command/],
])("the setting %s stops the start", (setting, message) => {
  const python = join(folder, "python3");
  writeFileSync(python, "#!/bin/sh\n");
  chmodSync(python, 0o755);
  expect(() => findConverter(setting, folder)).toThrow(SettingsError);
  expect(() => findConverter(setting, folder)).toThrow(message);
});

test("progress is read from the line of tqdm, and is never the reason of a failure", () => {
  const progress = "Writing:  12%|█▏        | 100M/1.20G [00:01<00:10, 100Mbyte/s]";
  expect(readConvertedShare(progress)).toBe(0.12);
  expect(readConvertedShare("Writing: 100M [00:01, 100Mbyte/s]")).toBeNull();
  expect(readConvertedShare("INFO:hf-to-gguf:token_embd.weight, torch.bfloat16 --> Q8_0, shape = {100%|")).toBeNull();
  const log = createConverterLog();
  for (const line of ["ERROR:hf-to-gguf:Model is not supported", progress, ""]) log.add(line);
  expect(log.lastWords()).toBe("Model is not supported");
});

/** Returns the command lines of the running processes that contain a text. */
function processesWith(text: string): string[] {
  const { stdout } = spawnSync("ps", ["-ww", "-eo", "args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(text));
}
