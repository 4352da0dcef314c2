import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { createConfigFolder, createMemoryStream, NOW } from "../testing/run-cli.ts";
import { fetchLatestVersion, findDefaultServer, notifyOfUpdate } from "./notice.ts";

let folder: ReturnType<typeof createConfigFolder>;
beforeEach(() => {
  folder = createConfigFolder();
});
afterEach(() => folder.remove());

const scheduleLookUp = vi.fn<() => void>();
const answer =
  (body: object, status = 200) =>
  async () =>
    new Response(JSON.stringify(body), { status });
const cacheDir = () => join(folder.dir, "cache");

const SERVER = "https://feather.example";

type Settings = {
  version?: string;
  baseUrl?: string | undefined;
  tty?: boolean;
  env?: Record<string, string>;
  hours?: number;
};

function tell(settings: Settings = {}): string {
  const { version = "1.2.3", tty = true, env = {}, hours = 0 } = settings;
  const baseUrl = "baseUrl" in settings ? settings.baseUrl : SERVER;
  const stderr = createMemoryStream(tty, 80);
  const io = {
    stdin: process.stdin,
    stdout: createMemoryStream(tty),
    stderr,
    env: readEnvironment({ FEATHER_CACHE_DIR: cacheDir(), ...env }, "linux"),
  };
  scheduleLookUp.mockClear();
  notifyOfUpdate(io, { version, baseUrl, now: new Date(NOW.getTime() + hours * 3_600_000), scheduleLookUp });
  return stderr.text();
}

test("the first command only looks up; the next one announces the newer version once", async () => {
  expect(tell()).toBe("");
  expect(scheduleLookUp).toHaveBeenCalledTimes(1);
  const fetch = vi.fn(answer({ version: "1.3.0" }));
  await fetchLatestVersion(cacheDir(), SERVER, NOW, fetch);
  expect(fetch).toHaveBeenCalledExactlyOnceWith(`${SERVER}/api/config`);
  expect(tell()).toBe(
    "\nfeather.example has feather 1.3.0; this is 1.2.3. npm install -g https://feather.example/cli.tgz\n",
  );
  expect(tell()).toBe("");
  expect(scheduleLookUp).not.toHaveBeenCalled();
});

test("the version of one server is not announced for another", async () => {
  tell();
  await fetchLatestVersion(cacheDir(), SERVER, NOW, answer({ version: "1.3.0" }));
  expect(tell({ baseUrl: "https://other.example" })).toBe("");
});

test("nothing is looked up when the settings are invalid", () => {
  expect(tell({ baseUrl: undefined })).toBe("");
  expect(scheduleLookUp).not.toHaveBeenCalled();
});

test.each([
  [{}, "http://localhost:4000"],
  [{ FEATHER_BASE_URL: SERVER }, SERVER],
  [{ FEATHER_BASE_URL: "nonsense" }, undefined],
])("with the variables %j, the default server is %j", (variables, server) => {
  expect(findDefaultServer(readEnvironment({ FEATHER_CONFIG_DIR: folder.dir, ...variables }, "linux"))).toBe(server);
});

test("the newest version is looked up again after a day, also after a failure", async () => {
  tell();
  await fetchLatestVersion(cacheDir(), SERVER, NOW, answer({}, 404));
  tell({ hours: 23 });
  expect(scheduleLookUp).not.toHaveBeenCalled();
  tell({ hours: 25 });
  expect(scheduleLookUp).toHaveBeenCalledTimes(1);
});

test.each([
  ["1.2.3", "1.2.3", false],
  ["1.2.3", "1.2.2", false],
  ["1.10.0", "1.9.0", false],
  ["1.9.0", "1.10.0", true],
  ["1.2.3", "2.0.0", true],
])("with version %s and newest version %s, a notice is printed: %s", async (version, newest, isPrinted) => {
  await fetchLatestVersion(cacheDir(), SERVER, NOW, answer({ version: newest }));
  expect(tell({ version })).toEqual(isPrinted ? expect.stringContaining(newest) : "");
});

test.each([
  ["in CI", { env: { CI: "1" } }],
  ["in a pipe", { tty: false }],
  ["to a coding agent", { env: { AI_AGENT: "1" } }],
  ["when it is switched off", { env: { FEATHER_NO_UPDATE_NOTICE: "1" } }],
  ["with DO_NOT_TRACK", { env: { DO_NOT_TRACK: "1" } }],
])("nothing is looked up or announced %s", async (_, settings) => {
  expect(tell(settings)).toBe("");
  expect(scheduleLookUp).not.toHaveBeenCalled();
  await fetchLatestVersion(cacheDir(), SERVER, NOW, answer({ version: "9.0.0" }));
  expect(tell(settings)).toBe("");
});

test.each(["9.0.0\u001b[2J", "latest", 5])("an invalid version is not cached: %j", async (version) => {
  await fetchLatestVersion(cacheDir(), SERVER, NOW, answer({ version }));
  tell();
  expect(tell()).toBe("");
});
