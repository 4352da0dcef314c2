import { createTestClock } from "@feather/testing/clock";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestRuntimes } from "../../../testing/runtimes.ts";
import type { HostedModel } from "../../runtimes/hosted-model.ts";
import { createMemoryBudget, estimateEngineBytes } from "../../runtimes/memory/memory-budget.ts";
import type { EngineEvents, EngineModel, StartEngine } from "../../runtimes/processes/model-process.ts";
import type { DeploymentProvider, DeploymentSpec, LogLine } from "../provider.ts";
import { createLocalProvider } from "./local-provider.ts";

const MODEL: HostedModel = {
  id: "acme/one",
  file: "/one.gguf",
  fileName: "one.gguf",
  size: 1e6,
  contextLength: 1024,
  bytesPerToken: 1024,
  revision: "abc",
};
const EACH = estimateEngineBytes(MODEL);
const SPEC: DeploymentSpec = {
  organizationId: "org_1",
  modelKey: MODEL.id,
  revision: null,
  region: "here",
  instanceType: "cpu",
  engineArgs: {},
};
type Engine = { model: EngineModel; events: EngineEvents; stopped: boolean };
let engines: Engine[];
let model: HostedModel | null;
let provider: DeploymentProvider;
let most: number;
/** What starting an engine throws; null if it can be started. */
let startFailure: Error | null;

const start: StartEngine = (options, events) => {
  if (startFailure) throw startFailure;
  const engine: Engine = { model: options, events, stopped: false };
  engines.push(engine);
  most = Math.max(most, running().length);
  return {
    async stop() {
      engine.stopped = true;
    },
  };
};
const running = () => engines.filter(({ stopped }) => !stopped);
const clock = createTestClock();

function providerFor(count: number): DeploymentProvider {
  const memory = createMemoryBudget(EACH * count);
  const runtimes = createTestRuntimes({ memory, start });
  return createLocalProvider({ runtimes, findModel: (id) => (id === MODEL.id ? model : null), clock });
}
beforeEach(() => {
  engines = [];
  most = 0;
  startFailure = null;
  model = MODEL;
  provider = providerFor(100);
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
async function apply(replicas: number, generation = 1, spec = SPEC): Promise<void> {
  await provider.apply({ id: "dep_1", generation, replicas, spec });
  await settled();
}
/** Makes all starting engines ready, one after the other, until no engine starts any more. */
async function answerAll(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const before = engines.length;
    for (const [index, engine] of engines.entries()) if (!engine.stopped) engine.events.ready(`/sockets/${index}`);
    await settled();
    if (engines.length === before) return;
  }
}
const states = async () =>
  ((await provider.observe("dep_1"))?.replicas ?? []).map(({ state, generation }) => `${state}@${generation}`);

describe("deployments on this machine", () => {
  test("a replica of a program that asks for a key is called with it, and reads images with its projector", async () => {
    model = { ...MODEL, runtime: "llama-server", projector: "/projector.gguf", projectorBytes: 1 };
    await apply(1);
    engines[0]?.events.ready("/sockets/0", "key-of-the-process");
    expect((await provider.observe("dep_1"))?.replicas[0]?.endpoint).toEqual({
      baseUrl: "http://engine/v1",
      socketPath: "/sockets/0",
      apiKey: "key-of-the-process",
      program: "llama-server",
    });
    expect(engines[0]?.model.projector).toBe("/projector.gguf");
  });

  test("a deployment on this machine starts the target number of engines once, even if the target is applied twice", async () => {
    await apply(3);
    await apply(3);
    expect(running()).toHaveLength(3);
    expect(await states()).toEqual(["starting@1", "starting@1", "starting@1"]);
    await answerAll();
    expect(await states()).toEqual(["ready@1", "ready@1", "ready@1"]);
    await apply(1);
    expect(running()).toHaveLength(1);
    await apply(0);
    expect([running(), await states()]).toEqual([[], []]);
    expect(await provider.list()).toEqual(["dep_1"]);
  });

  test("a deployment on this machine replaces replicas one at a time without fewer ready ones", async () => {
    await apply(3);
    await answerAll();
    let least = 3;
    const watch = async () => {
      const observed = await provider.observe("dep_1");
      least = Math.min(least, observed?.replicas.filter(({ state }) => state === "ready").length ?? 0);
    };
    provider.onChange(() => void watch());
    await apply(3, 2, { ...SPEC, engineArgs: { context: 512 } });
    expect(running()).toHaveLength(4);
    await answerAll();
    expect(await states()).toEqual(["ready@2", "ready@2", "ready@2"]);
    expect([least, most]).toEqual([3, 4]);
    expect(running().every((engine) => engine.model.contextLength === 512)).toBe(true);
  });

  test("a deployment on this machine keeps the old replicas while the new ones do not start", async () => {
    await apply(2);
    await answerAll();
    await apply(2, 2);
    const young = engines.at(-1);
    for (let time = 0; time < 3; time++) young?.events.exited("It cannot be loaded.", 500);
    await settled();
    expect(await states()).toEqual(["ready@1", "ready@1", "failed@2"]);
    await apply(2, 3);
    expect(young?.stopped).toBe(true);
    await answerAll();
    expect(await states()).toEqual(["ready@3", "ready@3"]);
  });

  test("removing a deployment stops its engines and deletes its logs", async () => {
    await apply(2);
    await answerAll();
    let ended = false;
    provider.follow(
      "dep_1",
      () => {},
      () => {
        ended = true;
      },
    );
    await provider.remove("dep_1");
    await settled();
    expect(ended).toBe(true); // followers learn that the log ends
    expect([running(), await provider.observe("dep_1"), await provider.list()]).toEqual([[], null, []]);
    expect(await provider.logs("dep_1", 10)).toEqual([]);
    await provider.remove("dep_1");
    await provider.remove("dep_none");
  });

  test("the provider of this machine returns and streams the output of engines by replica", async () => {
    await apply(2);
    const heard: LogLine[] = [];
    const leave = provider.follow(
      "dep_1",
      (line) => heard.push(line),
      () => {},
    );
    engines[1]?.events.line?.("loading 50 %");
    engines[1]?.events.line?.("x".repeat(5_000));
    leave();
    engines[1]?.events.line?.("unheard");
    expect(heard.map(({ replica, text }) => [replica, text.length])).toEqual([
      ["1", 12],
      ["1", 2_000],
    ]);
    expect((await provider.logs("dep_1", 2)).map(({ text }) => text)).toEqual(["x".repeat(2_000), "unheard"]);
    for (let count = 0; count < 3_000; count++) engines[0]?.events.line?.(String(count));
    expect(await provider.logs("dep_1", 10_000)).toHaveLength(1_000);
  });

  test("the provider of this machine stops all engines with the server", async () => {
    await apply(3);
    await provider.stop();
    expect(running()).toEqual([]);
    await provider.tick();
    await apply(2);
    expect(running()).toEqual([]);
  });
});

describe("memory", () => {
  test("the provider of this machine never reserves memory twice, and starts waiting replicas when memory is released", async () => {
    provider = providerFor(2);
    await apply(3);
    expect(running()).toHaveLength(2);
    const reasons = (await provider.observe("dep_1"))?.replicas.map(({ reason }) => reason);
    expect(reasons).toEqual([null, null, expect.stringMatching(/waits for memory/)]);
    await provider.tick();
    expect(running()).toHaveLength(2);
    await provider.apply({ id: "dep_2", generation: 1, replicas: 1, spec: SPEC });
    await apply(0);
    expect(running()).toHaveLength(1);
    expect((await provider.observe("dep_2"))?.replicas[0]?.reason).toBe(null);
  });

  test("an update stops the old replica first if there is no memory for both", async () => {
    provider = providerFor(2);
    await apply(2);
    await answerAll();
    await apply(2, 2);
    await answerAll();
    expect(await states()).toEqual(["ready@2", "ready@2"]);
    expect(most).toBe(2);
  });
});

describe("a model whose file is gone", () => {
  test("replicas on this machine fail while the model's file is missing, and start when it is back", async () => {
    model = null;
    await apply(1);
    expect((await provider.observe("dep_1"))?.replicas[0]).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/not on this machine/),
    });
    model = MODEL;
    await provider.tick();
    await answerAll();
    expect(await states()).toEqual(["ready@1"]);
  });
});

describe("an engine that cannot be started", () => {
  const full = () => new Error("ENOSPC: no space left on device");

  test("replicas on this machine fail while engines cannot be started, and start when they can be again", async () => {
    startFailure = full();
    await apply(2);
    const reason = "ENOSPC: no space left on device";
    expect((await provider.observe("dep_1"))?.replicas).toMatchObject([
      { state: "failed", reason },
      { state: "failed", reason },
    ]);
    startFailure = null;
    await provider.tick();
    await answerAll();
    expect(await states()).toEqual(["ready@1", "ready@1"]);
  });

  test("failed starts reserve the memory of a replica once, and removing the deployment releases it", async () => {
    provider = providerFor(1);
    startFailure = full();
    await apply(1);
    for (let time = 0; time < 5; time++) await provider.tick();
    startFailure = null;
    await provider.remove("dep_1");
    await settled();
    await provider.apply({ id: "dep_2", generation: 1, replicas: 1, spec: SPEC });
    expect(running()).toHaveLength(1);
  });

  test("an update keeps the old replica while the engine of the new one cannot be started", async () => {
    await apply(1);
    await answerAll();
    startFailure = full();
    await apply(1, 2);
    await provider.tick();
    expect((await states()).sort()).toEqual(["failed@2", "ready@1"]);
  });
});

describe("what this machine cannot run", () => {
  const limits = { maxReplicas: 1 };
  test.each<[string, Partial<DeploymentSpec>, Partial<typeof limits>, string]>([
    ["too many replicas", {}, { maxReplicas: 100_000 }, "runs up to"],
    ["an unknown argument", { engineArgs: { gpu_layers: 3 } }, {}, "gpu_layers is not known"],
    ["an argument with a name that all objects have", { engineArgs: { toString: 3 } }, {}, "toString is not known"],
    ["a text for a number", { engineArgs: { context: "512" } }, {}, "whole number"],
    ["half a sequence", { engineArgs: { sequences: 1.5 } }, {}, "whole number"],
    ["a model without a file", { modelKey: "acme/none" }, {}, "no file of acme/none"],
    ["another revision", { revision: "def" }, {}, "at abc, not at def"],
    ["more than all memory", { engineArgs: { context: 1_048_576, sequences: 64 } }, {}, "of memory here"],
  ])("a deployment on this machine rejects %s", (_what, spec, changed, message) => {
    expect(() => provider.check({ ...SPEC, ...spec }, { ...limits, ...changed })).toThrow(message);
  });

  test.each([null, "main", "abc"])("a deployment on this machine accepts the revision %s", (revision) => {
    expect(() => provider.check({ ...SPEC, revision }, limits)).not.toThrow();
  });
});
