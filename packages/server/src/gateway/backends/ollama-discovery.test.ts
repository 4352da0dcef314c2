import { type FakeOllamaModel, startFakeOllama } from "@feather/testing/fake-ollama";
import { expect, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import { createDiscovery, type FoundModel, type LoopbackProgram } from "./discovery.ts";
import { createBackendRegistry } from "./registry.ts";

const LIBRARY: Readonly<Record<string, FakeOllamaModel>> = {
  "smol:latest": { layers: [1], parameterSize: "134.52M", runningContext: 4_096 },
  "short:latest": { layers: [1], numCtx: 256 },
  "wide:latest": { layers: [1], numCtx: 1_000_000 },
  "idle:latest": { layers: [1] },
};
const SMOL = "smol:latest";
const FROM_HUB = "hf.co/someone/smol-GGUF:Q4_K_M";

/** Discovers an Ollama with these models, which is named in the settings or found at its default port. */
async function discover(pulled: readonly string[], place: "settings" | "machine" = "settings") {
  const ollama = await startFakeOllama(LIBRARY, pulled);
  const registry = createBackendRegistry(systemClock);
  const found = new Map<string, FoundModel>();
  const programs: LoopbackProgram[] = [{ name: "ollama", port: Number(new URL(ollama.baseUrl).port) }];
  const setting = { name: "own", base_url: ollama.baseUrl, models: [], aliases: [], weight: 1 };
  const discovery = createDiscovery({
    registry,
    ensureModels: async (models) => {
      for (const model of models) found.set(model.id, model);
      return new Map(models.map(({ id }) => [id, id]));
    },
    clock: systemClock,
    settings: place === "settings" ? [setting] : [],
    loadStored: async () => [],
    programs: place === "settings" ? [] : programs,
    ownPort: 0,
  });
  await discovery.refresh();
  const close = () => Promise.all([registry.close(), ollama.close()]);
  return { ollama, registry, found, discovery, [Symbol.asyncDispose]: async () => void (await close()) };
}

test.each(["settings", "machine"] as const)(
  "an Ollama without models, known from the %s, is a backend",
  async (place) => {
    await using known = await discover([], place);
    expect(known.registry.list()).toMatchObject([{ program: "ollama", models: new Map() }]);
    expect(known.discovery.lastCheck(place === "settings" ? "own" : "ollama")).toMatchObject({ error: null });
  },
);

test.each([
  ["the library", [SMOL, FROM_HUB, "me/own:v1"]],
  ["the hub", [FROM_HUB, SMOL]],
  ["a user, and of nowhere else,", ["me/own:v1"]],
])("Ollama is recognized where its first model is one of %s", async (_title, pulled) => {
  await using known = await discover(pulled);
  expect(known.registry.list()).toMatchObject([{ program: "ollama" }]);
  if (pulled.includes(SMOL)) expect(known.found.get("own/smol:latest")?.parameterSize).toBe(134_520_000);
});

test("a model that Ollama has from the hub is called by its owner and name, and requested by its full name", async () => {
  await using known = await discover([FROM_HUB]);
  expect(known.registry.list()[0]?.models).toEqual(new Map([["someone/smol-GGUF:Q4_K_M", FROM_HUB]]));
});

test.each([
  ["runs is the one it runs with", SMOL, 4_096],
  ["has a num_ctx is that", "short:latest", 256],
  ["has a num_ctx above what it was trained with is the latter", "wide:latest", 40_960],
  ["does not run and has no num_ctx is unknown", "idle:latest", null],
])("the context of a model of Ollama that %s", async (_title, name, tokens) => {
  await using known = await discover([name]);
  expect(known.found.get(`own/${name}`)?.contextLength).toBe(tokens);
  expect(known.registry.list()[0]?.contextLengths?.get(`own/${name}`) ?? null).toBe(tokens);
});

test("the description of a model of Ollama is requested once", async () => {
  await using known = await discover(["short:latest"]);
  await known.discovery.refresh();
  expect(known.ollama.requests.filter(({ url }) => url === "/api/show")).toHaveLength(1);
  expect(known.found.get("own/short:latest")?.contextLength).toBe(256);
});
