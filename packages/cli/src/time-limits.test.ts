import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConfigFolder, runCli } from "./testing/run-cli.ts";

/** How long a chat that gives up waits for the server to stop its answer. */
const STOP_SECONDS = 5;

let folder: ReturnType<typeof createConfigFolder>;
beforeEach(() => {
  folder = createConfigFolder();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  folder.remove();
});

/** Runs a command line against a server that takes requests and never answers. */
async function runAgainstSilence(argv: readonly string[]) {
  const requested = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", (_: Request, { signal }: RequestInit) => {
    requested.resolve();
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  const env = { FEATHER_BASE_URL: "http://feather.example", FEATHER_CONFIG_DIR: folder.dir, FEATHER_API_KEY: "rc_1" };
  let code: number | undefined;
  const ended = runCli(argv, env).then((result) => {
    ({ code } = result);
    return result;
  });
  await requested.promise;
  return { ended, code: () => code, pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000) };
}

test("a call that runs no model is tried three times, for a minute each", async () => {
  const { ended, pass } = await runAgainstSilence(["whoami"]);
  await pass(185);
  expect(await ended).toMatchObject({ code: 10, err: expect.stringContaining("no answer within 60 s") });
});

test.each([
  [["chat", "-m", "a/b", "hi"]],
  [["chat", "-m", "a/b", "--no-stream", "hi"]],
  [["embed", "-m", "a/b", "hi"]],
  [["api", "POST", "/v1/chat/completions", "-f", "model=a/b"]],
])("%j waits ten minutes for the model, and asks once", async (argv) => {
  const { ended, code, pass } = await runAgainstSilence(argv);
  await pass(599);
  expect(code()).toBeUndefined();
  await pass(1 + STOP_SECONDS);
  expect(await ended).toMatchObject({ code: 10, err: expect.stringContaining("no answer within 600 s") });
});
