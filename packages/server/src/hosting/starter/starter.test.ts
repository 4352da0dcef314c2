import { expect, test, vi } from "vitest";
import { errors } from "../../platform/core/errors/index.ts";
import { type StarterProgress, startFirstModel } from "./starter.ts";
import { listCandidates } from "./starter-models.ts";

const PULL = { id: "pull_1", modelId: "a/small", bytesTotal: 1_000_000 };
const DONE: StarterProgress = { state: "done", bytesDone: 1_000_000, error: null };

type Deps = Parameters<typeof startFirstModel>[0];

/** Starts the first model with a server that has none, and returns what was logged and called. */
async function start(overrides: Partial<Deps> = {}, progress: readonly StarterProgress[] = [DONE]) {
  const lines: string[] = [];
  const note = (_fields: object, text: string) => void lines.push(text);
  const states = [...progress];
  const deps = {
    setting: "auto",
    memoryBytes: 8e9,
    hasModels: async () => false,
    pull: vi.fn(async () => PULL),
    readProgress: async () => states.shift() ?? DONE,
    wake: vi.fn(async () => null),
    wait: async () => {},
    report: (text: string) => void lines.push(text),
    log: { warn: note },
    ...overrides,
  };
  await startFirstModel(deps);
  return { lines, pulled: vi.mocked(deps.pull).mock.calls.flat(), woken: vi.mocked(deps.wake).mock.calls.flat() };
}

test("a server without models downloads a small one, says so, and loads it", async () => {
  const running = (bytesDone: number): StarterProgress => ({ state: "running", bytesDone, error: null });
  const { lines, pulled, woken } = await start({}, [running(0), running(300_000), running(310_000), running(800_000)]);
  expect(pulled).toEqual(["Qwen/Qwen3-0.6B"]);
  expect(woken).toEqual(["a/small"]);
  expect(lines).toEqual([
    "Downloading a first model, a/small (1 MB).",
    "The first model: 25 % downloaded.",
    "The first model: 75 % downloaded.",
    "The first model, a/small, can be called now: feather chat.",
  ]);
});

test.each([
  ["a setting that prevents it", { setting: "off" }],
  ["a server that has or had a model", { hasModels: async () => true }],
])("nothing is downloaded with %s", async (_what, overrides) => {
  expect(await start(overrides)).toEqual({ lines: [], pulled: [], woken: [] });
});

test("where the hub cannot be reached, smaller models are tried, the last of which comes from elsewhere", async () => {
  const pull = vi.fn(async (id: string) => {
    if (id.startsWith("Qwen/")) throw errors.hub.unavailable("Gone.");
    return PULL;
  });
  const { pulled, woken } = await start({ pull });
  expect(pulled).toEqual(["Qwen/Qwen3-0.6B", "HuggingFaceTB/SmolLM2-135M-Instruct"]);
  expect(woken).toEqual(["a/small"]);
});

test.each([
  ["nothing can be reached", { pull: vi.fn(async () => Promise.reject(errors.hub.unavailable("Gone."))) }, 2],
  ["there is no room", { pull: vi.fn(async () => Promise.reject(errors.store.quotaFull({ needed: 2, max: 1 }))) }, 1],
  ["the memory is too small", { memoryBytes: 1e8 }, 0],
])("one line says what to do when %s", async (_what, overrides, attempts) => {
  const { lines, pulled, woken } = await start(overrides as Partial<Deps>);
  expect([lines.length, pulled.length, woken]).toEqual([1, attempts, []]);
  expect(lines[0]).toContain("feather run owner/name");
});

test.each<[StarterProgress["state"], number]>([
  ["failed", 2],
  ["canceled", 1],
  ["paused", 1],
])("a download that is %s is not loaded", async (state, count) => {
  const { lines, woken } = await start({}, [{ state, bytesDone: 5, error: "cut off" }]);
  expect([lines.length, woken]).toEqual([count, []]);
});

test("a download that is tried again says once why", async () => {
  const retried: StarterProgress = { state: "running", bytesDone: 0, error: "The hub is gone." };
  const { lines, woken } = await start({}, [retried, retried]);
  expect(lines[1]).toMatch(/^The first model: The hub is gone\. It is tried again by itself\./);
  expect([lines.length, woken]).toEqual([3, ["a/small"]]);
});

test("a named model is the only one that is tried", async () => {
  expect((await start({ setting: "me/own" })).pulled).toEqual(["me/own"]);
});

test.each([
  [16e9, ["Qwen/Qwen3-1.7B", "Qwen/Qwen3-0.6B", "HuggingFaceTB/SmolLM2-135M-Instruct"]],
  [2e9, ["Qwen/Qwen3-0.6B", "HuggingFaceTB/SmolLM2-135M-Instruct"]],
  [5e8, ["HuggingFaceTB/SmolLM2-135M-Instruct"]],
  [1e8, []],
])("models are chosen by memory: %d bytes", (memoryBytes, expected) => {
  expect(listCandidates("auto", memoryBytes)).toEqual(expected);
});
