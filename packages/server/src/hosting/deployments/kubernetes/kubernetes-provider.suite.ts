import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { BUILT_IN_MODELS } from "../../runtimes/index.ts";
import { testProvider } from "./testing/provider-behaviour.ts";
import {
  allReady,
  chat,
  converge,
  createOwner,
  createTarget,
  remove,
  startProvider,
  type TestCluster,
} from "./testing/test-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

/** The demonstration model. */
const MODEL_FILE = BUILT_IN_MODELS.find(({ id }) => id === "feather/demo")?.file ?? "";
/** An address of this machine that pods reach: the API server's. */
const HOST = "10.96.0.1";

describe("with a real cluster", () => testProvider(() => inject("cluster")));

/** Serves the demonstration model as the hub serves a file, and records the headers of requests. */
async function startHub(): Promise<{ url: string; requests: { url: string; headers: IncomingHttpHeaders }[] }> {
  const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    requests.push({ url, headers });
    response.writeHead(url === "/acme/tiny/resolve/v1/q4/tiny.gguf" ? 200 : 404).end(readFileSync(MODEL_FILE));
  }).listen(0, HOST);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return { url: `http://${HOST}:${(server.address() as AddressInfo).port}`, requests };
}

test("a pod downloads its model from the hub with the operator's token, and answers", async () => {
  const hub = await startHub();
  const { provider } = startProvider(inject("cluster"), createOwner(), {}, { hubUrl: hub.url });
  const model = { modelKey: "acme/tiny", instanceType: "cpu", revision: "v1" };
  const target = createTarget({ ...model, engineArgs: { file: "q4/tiny.gguf", context: 512 } });
  const { replicas } = await converge(provider, target, allReady(target));
  const [endpoint] = replicas.flatMap((replica) => replica.endpoint ?? []);
  expect((await chat(endpoint ?? { baseUrl: "" }, "acme/tiny")).status).toBe(200);
  expect(hub.requests.every(({ headers }) => headers.authorization === "Bearer hf_operator")).toBe(true);
  await remove(provider, target.id);
});

test("a deployment reports that the hub does not have the file", async () => {
  const hub = await startHub();
  const { provider } = startProvider(inject("cluster"), createOwner(), {}, { hubUrl: hub.url });
  const target = createTarget({ modelKey: "acme/tiny", instanceType: "cpu", engineArgs: { file: "missing.gguf" } });
  await converge(provider, target, ({ replicas }) =>
    expect(replicas).toEqual([
      expect.objectContaining({
        state: "failed",
        reason: `The model could not be downloaded (exit status 1): feather-engine: ${hub.url}/acme/tiny/resolve/main/missing.gguf answered with status 404.`,
      }),
    ]),
  );
  await remove(provider, target.id);
});
