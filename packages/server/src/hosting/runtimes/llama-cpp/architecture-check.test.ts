import { expect, test } from "vitest";
import { describeSandbox, detectSandbox } from "../processes/sandbox.ts";
import { createArchitectureCheck } from "./architecture-check.ts";

const warnings: unknown[][] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line) };

test("the engine says which architectures it knows, each once", async () => {
  const isKnown = createArchitectureCheck(log, { state: "off" });
  expect([await isKnown("llama"), await isKnown("no-such-architecture")]).toEqual([true, false]);
  expect(isKnown("llama")).toBe(isKnown("llama"));
  expect(warnings).toEqual([]);
});

const sandbox = detectSandbox("auto");
const reason = sandbox.state === "on" ? "" : ` (skipped: ${describeSandbox(sandbox)})`;

test.runIf(sandbox.state === "on")(`the engine says it in its sandbox, too${reason}`, async () => {
  const isKnown = createArchitectureCheck(log, sandbox);
  expect([await isKnown("llama"), await isKnown("no-such-architecture")]).toEqual([true, false]);
  expect(warnings).toEqual([]);
});
