import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createVllmArchitectureCheck } from "./vllm-architectures.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vllm-architectures-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeProgram(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

/** Writes a stand-in for the Python that vLLM is installed in. It records its arguments and runs a line of shell. */
const writePython = (line: string) =>
  writeProgram(
    "python3.12",
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(folder, "arguments")}\nenv > ${join(folder, "environment")}\n${line}\n`,
  );

function createCheck(command: string) {
  const warnings: unknown[] = [];
  const log = { warn: (...fields: unknown[]) => void warnings.push(fields) };
  return { isKnown: createVllmArchitectureCheck({ command, dataDir: join(folder, "data"), log }), warnings };
}

const ANSWER = `echo 'INFO 11-20 10:00:00 a line of its log'; echo; echo '["LlamaForCausalLM", "Qwen3ForCausalLM"]'`;

test.each([
  ["in its first line", (python: string) => `#!${python}\nimport sys\n`],
  [
    "in its second line, as pip writes it for long paths",
    (python: string) => `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\n`,
  ],
])("vLLM is asked in the Python that its command names %s", async (_where, toScript) => {
  const { isKnown, warnings } = createCheck(writeProgram("vllm", toScript(writePython(ANSWER))));
  expect(await Promise.all(["LlamaForCausalLM", "UnknownForCausalLM"].map(isKnown))).toEqual([true, false]);
  expect(warnings).toEqual([]);
  expect(readFileSync(join(folder, "arguments"), "utf8")).toContain("ModelRegistry.get_supported_archs()");
  expect(readFileSync(join(folder, "environment"), "utf8")).toContain("HF_HUB_OFFLINE=1");
});

test.each([
  ["fails", "exit 1"],
  ["prints something else", "echo '{}'"],
])("an architecture counts as known if Python %s, which is logged", async (_what, line) => {
  const { isKnown, warnings } = createCheck(writeProgram("vllm", `#!${writePython(line)}\n`));
  expect([await isKnown("UnknownForCausalLM"), warnings.length]).toEqual([true, 1]);
});

test("an architecture counts as known if the command is no program of Python", async () => {
  const { isKnown, warnings } = createCheck(writeProgram("vllm", "#!/bin/sh\nexit 1\n"));
  expect([await isKnown("UnknownForCausalLM"), warnings]).toEqual([true, []]);
});
