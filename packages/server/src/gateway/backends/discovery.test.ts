import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { startHttpServer } from "@feather/testing/http-server";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import type { BackendSetting } from "./backends.settings.ts";
import {
  createDiscovery,
  type EnsureModels,
  type FoundModel,
  type LoopbackProgram,
  type StoredBackend,
} from "./discovery.ts";
import { listModels } from "./list-models.ts";
import { createBackendRegistry } from "./registry.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a server that sends the same response to every request. */
function listening(status: number, body: string): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  return new Promise((resolve) => {
    server = createServer((request, response) => {
      requests.push(`${request.url} ${request.headers.authorization ?? "no key"}`);
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    }).listen(0, "127.0.0.1", () => {
      const address = server?.address();
      resolve({ url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1`, requests });
    });
  });
}

function discovery(
  settings: (Pick<BackendSetting, "name" | "base_url"> & Partial<BackendSetting>)[],
  programs: LoopbackProgram[] = [],
  loadStored: () => Promise<StoredBackend[]> = async () => [],
) {
  const registry = createBackendRegistry(systemClock);
  const adopted: string[][] = [];
  const reported = new Map<string, FoundModel>();
  // The catalogue has this model in another letter case.
  const ensureModels: EnsureModels = async (found) => {
    adopted.push(found.map(({ id }) => id));
    for (const model of found) reported.set(model.id, model);
    return new Map(found.map(({ id }) => [id, id === "qwen/qwen3-8b" ? "Qwen/Qwen3-8B" : id]));
  };
  const full = settings.map((setting) => ({ models: [], aliases: [], weight: 1, ...setting }));
  return {
    registry,
    adopted,
    reported,
    ...createDiscovery({
      registry,
      ensureModels,
      clock: systemClock,
      settings: full,
      loadStored,
      programs,
      ownPort: 0,
    }),
  };
}

const models = (...ids: string[]) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) });

test("a backend without configured models is asked for its list, with its key", async () => {
  const { url, requests } = await listening(200, models("qwen/qwen3-8b", "llama3.2:3b"));
  const { registry, refresh } = discovery([{ name: "ollama", base_url: url, api_key: "sk-1" }]);
  await refresh();
  expect(requests).toEqual(["/v1/models Bearer sk-1"]);
  expect(registry.listWarmModels().sort()).toEqual(["Qwen/Qwen3-8B", "ollama/llama3.2:3b"]);
  expect(registry.candidates("Qwen/Qwen3-8B")[0]?.models.get("Qwen/Qwen3-8B")).toBe("qwen/qwen3-8b");
  await registry.close();
});

test("a backend whose first key has expired is asked for its list with the next one", async () => {
  const provider = await startHttpServer(({ headers }, response) => {
    const isExpired = headers.authorization === "Bearer sk-1";
    response.writeHead(isExpired ? 401 : 200, { "content-type": "application/json" }).end(models("acme/tiny"));
  });
  const api_keys = ["sk-1", "sk-2"].map((key) => ({ key, label: undefined, weight: 1 }));
  const { registry, refresh, lastCheck } = discovery([{ name: "two", base_url: `${provider.url}/v1`, api_keys }]);
  await refresh();
  expect(registry.listWarmModels()).toEqual(["acme/tiny"]);
  expect(lastCheck("two")).toMatchObject({ error: null });
  expect(registry.list()[0]?.keys.list.map(({ label }) => label)).toEqual(["key 1", "key 2"]);
  await registry.close();
  await provider.close();
});

test("a list of models that is too long is not read to its end", async () => {
  const { url } = await listening(200, JSON.stringify({ data: [{ id: "a/b" }], rest: "x".repeat(17 * 1024 * 1024) }));
  expect(await listModels(url, undefined)).toEqual({
    ok: false,
    problem: null,
    error: "It sent more than 16 MB.",
    advice: null,
  });
});

test("models configured in the settings are used without asking", async () => {
  const { registry, refresh } = discovery([{ name: "gpu", base_url: "http://127.0.0.1:1/v1", models: ["a/b"] }]);
  await refresh();
  expect(registry.candidates("a/b").map(({ name }) => name)).toEqual(["gpu"]);
  await registry.close();
});

test.each([
  ["is something else", 200, "<html>"],
  ["refuses", 401, "{}"],
  ["answers JSON of another form", 200, '{"data":"none"}'],
])("a program that %s is not registered as a backend", async (_, status, body) => {
  const { url } = await listening(status, body);
  const { registry, adopted, refresh } = discovery([{ name: "x", base_url: url }]);
  await refresh();
  expect([registry.list(), adopted]).toEqual([[], []]);
});

test("discovery ignores names that cannot be model ids", async () => {
  const { url } = await listening(200, models("../../etc/passwd", "a b/c", "fine/model"));
  const { registry, refresh } = discovery([{ name: "x", base_url: url }]);
  await refresh();
  expect(registry.listWarmModels()).toEqual(["fine/model"]);
  await registry.close();
});

test.each([
  ["/srv/models/SmolLM2 1.7B.Q4_K_M.gguf", "llama/SmolLM2-1.7B.Q4_K_M"],
  ["C:\\models\\tiny.gguf", "llama/tiny"],
  ["models/tiny.gguf", "llama/tiny"],
  ["./tiny.gguf", "llama/tiny"],
  ["tiny.gguf", "llama/tiny"],
  ["acme/tiny", "acme/tiny"],
])("a model that llama-server lists as the file %s gets the file name as its id", async (name, id) => {
  const { url } = await listening(200, models(name));
  const { registry, refresh } = discovery([{ name: "llama", base_url: url }]);
  await refresh();
  expect(registry.listWarmModels()).toEqual([id]);
  expect(registry.candidates(id)[0]?.models.get(id)).toBe(name);
  await registry.close();
});

test("ignored models are listed in the check's note", async () => {
  const { url } = await listening(200, models("a b/c", "fine/model"));
  const { lastCheck, refresh, registry } = discovery([{ name: "x", base_url: url }]);
  await refresh();
  expect(lastCheck("x")).toMatchObject({ error: null, note: expect.stringContaining('"a b/c"') });
  await registry.close();
});

test("a model gets the id that the settings give it, and keeps its name for its backend", async () => {
  const name = "accounts/provider/models/tiny";
  const { url } = await listening(200, models(name));
  const { registry, refresh } = discovery([{ name: "x", base_url: url, aliases: [{ name, as: "acme/tiny" }] }]);
  await refresh();
  expect(registry.list()[0]?.models).toEqual(new Map([["acme/tiny", name]]));
  await registry.close();
});

test("an alias of one model leaves the other models of a backend in use", async () => {
  const name = "accounts/provider/models/tiny";
  const { url } = await listening(200, models(name, "acme/other"));
  const { registry, refresh } = discovery([{ name: "x", base_url: url, aliases: [{ name, as: "acme/tiny" }] }]);
  await refresh();
  expect(registry.list()[0]?.models).toEqual(
    new Map([
      ["acme/tiny", name],
      ["acme/other", "acme/other"],
    ]),
  );
  await registry.close();
});

test("a model with an alias is used beside the models that are named, whether or not it is listed", async () => {
  const aliases = [{ name: "a b c", as: "acme/tiny" }];
  const setting = { name: "x", base_url: "http://127.0.0.1:1/v1", models: ["acme/other"], aliases };
  const { registry, refresh } = discovery([setting]);
  await refresh();
  expect(registry.listOperatorModels().sort()).toEqual(["acme/other", "acme/tiny"]);
  await registry.close();
});

test("a model gets its alias even if an earlier model of the backend is named like it", async () => {
  const { url } = await listening(200, models("acme/Tiny", "tiny-v2"));
  const aliases = [{ name: "tiny-v2", as: "acme/tiny" }];
  const { registry, refresh, lastCheck } = discovery([{ name: "x", base_url: url, aliases }]);
  await refresh();
  expect(registry.list()[0]?.models).toEqual(new Map([["acme/tiny", "tiny-v2"]]));
  expect(lastCheck("x")?.note).toContain('same id: "acme/Tiny".');
  await registry.close();
});

test("the note names an alias of a model that the backend does not list", async () => {
  const { url } = await listening(200, models("acme/other"));
  const aliases = [{ name: "gone", as: "acme/tiny" }];
  const { registry, refresh, lastCheck } = discovery([{ name: "x", base_url: url, aliases }]);
  await refresh();
  expect(registry.listWarmModels()).toEqual(["acme/other"]);
  expect(lastCheck("x")?.note).toBe('Not listed by this backend, though it has an alias: "gone".');
  await registry.close();
});

test("of models whose ids meet the first is used, and the note names the others", async () => {
  const { url } = await listening(200, models("/a/model.gguf", "/b/model.gguf", "Foo/Bar", "foo/bar"));
  const { registry, refresh, lastCheck } = discovery([{ name: "x", base_url: url }]);
  await refresh();
  expect([...(registry.list()[0]?.models.values() ?? [])]).toEqual(["/a/model.gguf", "Foo/Bar"]);
  expect(lastCheck("x")?.note).toContain('same id: "/b/model.gguf", "foo/bar".');
  await registry.close();
});

test.each([
  ["vLLM", { max_model_len: 32_768 }, 32_768],
  ["llama-server", { meta: { n_ctx: 4_096, n_ctx_train: 131_072 } }, 4_096],
  ["an older llama-server", { meta: { n_ctx_train: 8_192 } }, 8_192],
  ["LiteLLM", { max_input_tokens: 128_000 }, 128_000],
  ["LM Studio", { loaded_context_length: 2_048, context_length: 4_096 }, 2_048],
  ["a program that tells nonsense", { max_model_len: -5 }, null],
  ["a program that tells none", {}, null],
])("a model gets the context length that %s reports", async (_program, facts, tokens) => {
  const { url } = await listening(200, JSON.stringify({ data: [{ id: "acme/tiny", ...facts }] }));
  const { reported, refresh, registry } = discovery([{ name: "x", base_url: url }]);
  await refresh();
  expect(reported.get("acme/tiny")?.contextLength).toBe(tokens);
  await registry.close();
});

test.each([
  ["as llama-server reports it", { meta: { n_params: 8_030_261_312 } }, 8_030_261_312],
  ["unknown where none is reported", {}, null],
  ["unknown where nonsense is reported", { meta: { n_params: -1 } }, null],
])("the size of a model is %s", async (_, facts, size) => {
  const { url } = await listening(200, JSON.stringify({ data: [{ id: "acme/tiny", ...facts }] }));
  const { reported, refresh, registry } = discovery([{ name: "x", base_url: url }]);
  await refresh();
  expect(reported.get("acme/tiny")?.parameterSize).toBe(size);
  await registry.close();
});

test("the sizes of Ollama's models come from its own API", async () => {
  const list = {
    data: [
      { id: "llama3:latest", owned_by: "library" },
      { id: "mystery:latest", owned_by: "library" },
    ],
  };
  const tags = { models: [{ name: "llama3:latest", details: { parameter_size: "8.0B" } }, { name: "mystery:latest" }] };
  const { url, requests } = await listening(200, JSON.stringify({ ...list, ...tags }));
  const { reported, refresh, registry } = discovery([{ name: "ollama", base_url: url }]);
  await refresh();
  expect(requests.slice(0, 3)).toEqual(["/v1/models no key", "/api/tags no key", "/api/ps no key"]);
  expect([...reported.values()].map(({ parameterSize }) => parameterSize)).toEqual([8e9, null]);
  await registry.close();
});

test("a model named in the settings has the size and context that its backend reports", async () => {
  const { url } = await listening(
    200,
    JSON.stringify({ data: [{ id: "a/b", max_model_len: 512, meta: { n_params: 7e9 } }] }),
  );
  const { reported, refresh, registry } = discovery([{ name: "x", base_url: url, models: ["a/b"] }]);
  await refresh();
  expect(reported.get("a/b")).toMatchObject({ id: "a/b", contextLength: 512, parameterSize: 7e9 });
  await registry.close();
});

test("a model of two backends is reported with the longer context of the two, whichever is read last", async () => {
  const [long, short] = [8192, 4096].map((max_model_len) => JSON.stringify({ data: [{ id: "a/b", max_model_len }] }));
  const first = await startHttpServer((_request, response) => response.end(long));
  const second = await startHttpServer((_request, response) => response.end(short));
  const { reported, refresh, registry } = discovery([
    { name: "first", base_url: `${first.url}/v1` },
    { name: "second", base_url: `${second.url}/v1` },
  ]);
  for (let rounds = 0; rounds < 2; rounds++) await refresh();
  expect(reported.get("a/b")?.contextLength).toBe(8192);
  expect(registry.list().map(({ contextLengths }) => contextLengths?.get("a/b"))).toEqual([8192, 4096]);
  await registry.close();
  await first.close();
  await second.close();
});

test("a model that a llama.cpp router has not loaded is cold until it answers", async () => {
  const args = ["llama-server", "--ctx-size", "1024", "--model", "/models/tiny-135M.gguf"];
  const data = [
    { id: "tiny", owned_by: "llamacpp", status: { value: "unloaded", args } },
    { id: "small", owned_by: "llamacpp", status: { value: "loaded", args }, meta: { n_ctx: 512, n_params: 7e9 } },
  ];
  const { url } = await listening(200, JSON.stringify({ object: "list", data }));
  const { reported, refresh, registry } = discovery([{ name: "router", base_url: url }]);
  await refresh();
  expect(["router/tiny", "router/small"].map((id) => registry.availability(id).tier)).toEqual(["cold", "warm"]);
  expect([registry.listColdModels(), registry.listWarmModels()]).toEqual([["router/tiny"], ["router/small"]]);
  expect(reported.get("router/tiny")).toMatchObject({ contextLength: 1024, parameterSize: null });
  expect(reported.get("router/tiny")?.names).toContain("/models/tiny-135M.gguf");
  expect(reported.get("router/small")).toMatchObject({ contextLength: 512, parameterSize: 7e9 });
  for (const backend of registry.candidates("router/tiny")) registry.recordSuccess(backend, "router/tiny");
  expect(registry.availability("router/tiny").tier).toBe("warm");
  await refresh();
  expect(registry.availability("router/tiny").tier).toBe("cold");
  await registry.close();
});

test("the models behind the names of a LiteLLM proxy tell their size and context", async () => {
  const list = { data: ["alias-a", "alias-b"].map((id) => ({ id, owned_by: "openai", created: 1_677_610_602 })) };
  const info = {
    data: [
      {
        model_name: "alias-a",
        litellm_params: { model: "openai/Qwen3-8B" },
        model_info: { max_input_tokens: 32_768 },
      },
    ],
  };
  const proxy = await startHttpServer(({ url, headers }, response) => {
    const isInfo = url === "/model/info" && headers.authorization === "Bearer sk-1";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isInfo ? info : list));
  });
  const { reported, refresh, registry } = discovery([{ name: "proxy", base_url: `${proxy.url}/v1`, api_key: "sk-1" }]);
  await refresh();
  expect(reported.get("proxy/alias-a")).toMatchObject({ contextLength: 32_768, parameterSize: 8e9 });
  expect(reported.get("proxy/alias-b")).toMatchObject({ contextLength: null, parameterSize: null });
  expect(registry.list()[0]?.program).toBe("other");
  await registry.close();
  await proxy.close();
});

test("the models of a backend that is not reachable are offline at once, named or listed, until it is again", async () => {
  const listen = async (port: number) => {
    const started = createServer((_request, response) => response.end(models("acme/listed"))).listen(port, "127.0.0.1");
    await once(started, "listening");
    return started;
  };
  const first = await listen(0);
  const address = first.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const base_url = `http://127.0.0.1:${port}/v1`;
  const { refresh, registry } = discovery([
    { name: "named", base_url, models: ["acme/named"] },
    { name: "all", base_url },
  ]);
  const tiers = () => ["acme/named", "acme/listed"].map((id) => registry.availability(id).tier);
  await refresh();
  expect(tiers()).toEqual(["warm", "warm"]);
  first.close().closeAllConnections();
  await refresh();
  expect([tiers(), registry.listWarmModels()]).toEqual([["offline", "offline"], []]);
  expect(registry.candidates("acme/named")).toHaveLength(1);
  server = await listen(port);
  await refresh();
  expect(tiers()).toEqual(["warm", "warm"]);
  await registry.close();
});

test("what a provider says of its models is replaced when its list changes, and forgotten with the model", async () => {
  const entry = (id: string, input: number) => ({ id, pricing: { input, output: 1 } });
  let list = [entry("acme/tiny", 0.5), entry("acme/gone", 0.5)];
  const provider = await startHttpServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: list }));
  });
  const { refresh, registry } = discovery([{ name: "x", base_url: `${provider.url}/v1` }]);
  const readPrices = () => [...(registry.list()[0]?.places ?? [])].map(([id, { price }]) => [id, price?.prompt]);
  await refresh();
  expect(readPrices()).toEqual([
    ["acme/tiny", "0.0000005"],
    ["acme/gone", "0.0000005"],
  ]);
  list = [entry("acme/tiny", 0.25), entry("acme/new", -1)];
  await refresh();
  expect(readPrices()).toEqual([["acme/tiny", "0.00000025"]]);
  await registry.close();
  await provider.close();
});

test("a program found on this machine adds models, and takes none that the server or a configured backend runs", async () => {
  const { url } = await listening(200, models("Acme/Configured", "FEATHER/demo", "acme/extra", "tiny"));
  const programs = [{ name: "ollama", port: Number(new URL(url).port) }] as const;
  const configured = { name: "gpu", base_url: "http://127.0.0.1:1/v1", models: ["acme/configured"] };
  const { registry, adopted, refresh } = discovery([configured], [...programs]);
  await refresh(["feather/demo"]);
  expect(registry.listOperatorModels().sort()).toEqual(["acme/configured", "acme/extra", "ollama/tiny"]);
  expect(adopted.at(-1)).toEqual(["acme/extra", "ollama/tiny"]);
  await registry.close();
});

test("a program found on this machine gets no calls to a model once another backend runs it", async () => {
  const { url } = await listening(200, models("acme/tiny"));
  const { registry, refresh } = discovery([], [{ name: "ollama", port: Number(new URL(url).port) }]);
  await refresh();
  expect(registry.candidates("acme/tiny").map(({ name }) => name)).toEqual(["ollama"]);
  const added = { name: "gpu", source: "admin", baseUrl: "http://127.0.0.1:1/v1", weight: 1 } as const;
  registry.set({ ...added, models: new Map([["acme/tiny", "tiny"]]) });
  expect(registry.candidates("acme/tiny").map(({ name }) => name)).toEqual(["gpu"]);
  registry.remove("gpu");
  expect(registry.candidates("acme/tiny").map(({ name }) => name)).toEqual(["ollama"]);
  await registry.close();
});

test("a program found on this machine does not replace a configured backend of its name", async () => {
  const { url } = await listening(200, models("acme/tiny"));
  const configured = { name: "ollama", base_url: "http://127.0.0.1:1/v1", models: ["acme/configured"] };
  const { registry, refresh } = discovery([configured], [{ name: "ollama", port: Number(new URL(url).port) }]);
  await refresh();
  expect(registry.list().map(({ name, source }) => [name, source])).toEqual([["ollama", "settings"]]);
  expect(registry.listOperatorModels()).toEqual(["acme/configured"]);
  await registry.close();
});

describe("backends that admins added", () => {
  const GPU = { name: "gpu", base_url: "http://127.0.0.1:1/v1", models: ["a/b"], aliases: [], weight: 1 };

  test.each([
    ["address", { base_url: "http://127.0.0.1:2/v1" }],
    ["key", { api_key: "sk-new" }],
  ])(
    "backends that admins added are not called at their old %s once it has changed, even if the new one does not answer",
    async (_what, change) => {
      let stored: BackendSetting[] = [GPU];
      const { registry, refreshStored } = discovery([], [], async () => stored);
      await refreshStored();
      expect(registry.list()).toHaveLength(1);
      stored = [{ ...GPU, models: [], ...change }];
      await refreshStored();
      expect(registry.list()).toEqual([]);
      await registry.close();
    },
  );

  test("backends that admins added are not called with a key that was removed, even if the others do not list models", async () => {
    const keys = [
      { key: "sk-1", label: "one", weight: 1 },
      { key: "sk-2", label: "two", weight: 1 },
    ];
    let stored: BackendSetting[] = [{ ...GPU, api_keys: keys }];
    const { registry, refreshStored } = discovery([], [], async () => stored);
    await refreshStored();
    stored = [{ ...GPU, models: [], api_keys: keys.slice(1) }];
    await refreshStored();
    expect(registry.list()).toMatchObject([{ keys: { list: [{ label: "two", secret: "sk-2" }] } }]);
    await registry.close();
  });

  test("backends that admins added keep their failures when only their weight changes", async () => {
    let stored: BackendSetting[] = [GPU];
    const { registry, refreshStored } = discovery([], [], async () => stored);
    await refreshStored();
    for (const backend of registry.list()) registry.recordFailure(backend, "away");
    stored = [{ ...GPU, weight: 3 }];
    await refreshStored();
    expect(registry.list()).toMatchObject([{ weight: 3, failures: 1 }]);
    await registry.close();
  });

  test("backends that admins added take keys of organizations no longer as soon as an admin says so, while their list fails", async () => {
    const { url } = await listening(200, models("a/b"));
    let stored: StoredBackend[] = [{ ...GPU, models: [], base_url: url, own_keys: "required" }];
    const { registry, refreshStored } = discovery([], [], async () => stored);
    await refreshStored();
    expect(registry.list()).toMatchObject([{ ownKeys: "required" }]);
    await new Promise((resolve) => server?.close(resolve));
    stored = [{ ...GPU, models: [], base_url: url, own_keys: "off" }];
    await refreshStored();
    expect(registry.list()).toMatchObject([{ ownKeys: "off" }]);
    await registry.close();
  });

  test("backends that admins added are not brought back by a refresh that began before they were deleted", async () => {
    const before = Promise.withResolvers<BackendSetting[]>();
    const begun = Promise.withResolvers<void>();
    const answers = [before.promise, Promise.resolve([])];
    const { registry, refreshStored } = discovery([], [], async () => {
      begun.resolve();
      return (await answers.shift()) ?? [];
    });
    const first = refreshStored();
    await begun.promise;
    const later = [refreshStored(), refreshStored()];
    before.resolve([GPU]);
    await first;
    await Promise.all(later);
    expect([registry.list(), answers]).toEqual([[], []]);
    await registry.close();
  });

  test("backends that admins added are read again after a refresh has failed", async () => {
    const answers = [Promise.reject(new Error("away")), Promise.resolve([GPU])];
    const { registry, refreshStored } = discovery([], [], async () => (await answers.shift()) ?? []);
    await expect(refreshStored()).rejects.toThrow("away");
    await refreshStored();
    expect(registry.list()).toHaveLength(1);
    await registry.close();
  });
});

test("a backend that lists no models is not unreachable where its models are configured", async () => {
  const { url } = await listening(404, "{}");
  const base = { name: "listless", base_url: url };
  const named = discovery([{ ...base, models: ["sonar"] }]);
  await named.refresh();
  expect(named.lastCheck("listless")).toMatchObject({ error: null });
  expect([...(named.registry.list()[0]?.models ?? [])]).toEqual([["listless/sonar", "sonar"]]);
  const unnamed = discovery([base]);
  await unnamed.refresh();
  expect(unnamed.lastCheck("listless")?.error).toContain("There is no such path below this address");
});
