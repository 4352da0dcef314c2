import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { configFolder, memory, NOW } from "../testing/world.ts";
import { lookUp, tellOfUpdate } from "./notice.ts";

let folder: ReturnType<typeof configFolder>;
beforeEach(() => {
  folder = configFolder();
});
afterEach(() => folder.remove());

const lookUpLater = vi.fn<() => void>();
const answer =
  (body: object, status = 200) =>
  async () =>
    new Response(JSON.stringify(body), { status });
const cacheDir = () => join(folder.dir, "cache");

function tell({ version = "1.2.3", tty = true, env = {}, hours = 0 } = {}): string {
  const stderr = memory(tty, 80);
  const io = {
    stdin: process.stdin,
    stdout: memory(tty),
    stderr,
    env: readEnvironment({ FEATHER_CACHE_DIR: cacheDir(), ...env }, "linux"),
  };
  lookUpLater.mockClear();
  tellOfUpdate(io, { version, now: new Date(NOW.getTime() + hours * 3_600_000), lookUpLater });
  return stderr.text();
}

test("the first command looks up and says nothing; the next one tells once", async () => {
  expect(tell()).toBe("");
  expect(lookUpLater).toHaveBeenCalledTimes(1);
  await lookUp(cacheDir(), "https://registry.example/", NOW, answer({ version: "1.3.0" }));
  expect(tell()).toContain("feather 1.3.0 is there; this is 1.2.3");
  expect(tell()).toBe("");
  expect(lookUpLater).not.toHaveBeenCalled();
});

test("it is looked up again after a day, also when the registry was away", async () => {
  tell();
  await lookUp(cacheDir(), "https://registry.example", NOW, answer({}, 404));
  tell({ hours: 23 });
  expect(lookUpLater).not.toHaveBeenCalled();
  tell({ hours: 25 });
  expect(lookUpLater).toHaveBeenCalledTimes(1);
});

test.each([
  ["1.2.3", "1.2.3", false],
  ["1.2.3", "1.2.2", false],
  ["1.10.0", "1.9.0", false],
  ["1.9.0", "1.10.0", true],
  ["1.2.3", "2.0.0", true],
])("%s is told of %s: %s", async (version, newest, told) => {
  await lookUp(cacheDir(), "https://registry.example", NOW, answer({ version: newest }));
  expect(tell({ version })).toEqual(told ? expect.stringContaining(newest) : "");
});

test.each([
  ["in CI", { env: { CI: "1" } }],
  ["in a pipe", { tty: false }],
  ["to a coding agent", { env: { AI_AGENT: "1" } }],
  ["where it is switched off", { env: { FEATHER_NO_UPDATE_NOTICE: "1" } }],
  ["where nobody wants to be tracked", { env: { DO_NOT_TRACK: "1" } }],
])("nothing is looked up or told %s", async (_, settings) => {
  expect(tell(settings)).toBe("");
  expect(lookUpLater).not.toHaveBeenCalled();
  await lookUp(cacheDir(), "https://registry.example", NOW, answer({ version: "9.0.0" }));
  expect(tell(settings)).toBe("");
});

test.each(["9.0.0\u001b[2J", "latest", 5])("a version that is none is not kept: %j", async (version) => {
  await lookUp(cacheDir(), "https://registry.example", NOW, answer({ version }));
  tell();
  expect(tell()).toBe("");
});
