import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@feather/testing/wait-for";
import { expect } from "vitest";
import { createFakeEngines } from "./fake-engines.ts";
import { type Account, createTestServer, type RequestOptions } from "./server.ts";

/** Path of the deployments collection. */
export const DEPLOYMENTS = "/api/feather/private-cloud/deployments";
/** Id of the demonstration model. */
export const DEMO_MODEL = "feather/demo";
const MEGABYTE = 1024 * 1024;

/** A JSON object in responses. */
export type JsonObject = Record<string, unknown>;
/** A created deployment: id, token and response body. */
export type CreatedDeployment = { id: string; token: string; body: JsonObject };

/** A test server with fake engines, one model whose file is present, and 50 GB of memory for models. */
export async function createPrivateCloudServer(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "private-cloud-"));
  const engines = createFakeEngines();
  let offsetMs = 0;
  const clock = { now: () => new Date(Date.now() + offsetMs) };
  const server = await createTestServer({
    clock,
    startEngine: engines.start,
    env: { FEATHER_DATA_DIR: folder, FEATHER_MODEL_MEMORY: "50000", ...env },
  });
  const { modelHost, deployments } = server.api;
  modelHost.host.register({
    id: DEMO_MODEL,
    file: "/demo.gguf",
    fileName: "demo.gguf",
    size: MEGABYTE,
    contextLength: 2048,
    bytesPerToken: 1024,
  });
  let count = 0;

  const call = async (path: string, options: RequestOptions = {}) => {
    const { status, body, headers, text } = await server.call(path, options);
    return { status, body: body as JsonObject, headers, text };
  };
  const reconcile = () => deployments.reconciler.run();

  return {
    ...server,
    call,
    engines,
    clock,
    reconcile,
    /** Advances the clock. */
    advanceSeconds(seconds: number): void {
      offsetMs += seconds * 1000;
    },
    signUpOwner: () => server.signUpOnPlan({ private_cloud: true, private_models: 5 }),

    body: (fields: JsonObject = {}): JsonObject => ({
      name: `bot-${++count}`,
      provider_id: "local",
      region: "here",
      instance_type: "cpu",
      model_id: DEMO_MODEL,
      ...fields,
    }),

    async deploy({ token }: Account, fields: JsonObject = {}): Promise<CreatedDeployment> {
      const answer = await call(DEPLOYMENTS, { token, body: this.body(fields) });
      if (answer.status !== 202) throw new Error(`No deployment: ${answer.status} ${answer.text}`);
      return { id: String(answer.body.id), token: String(answer.body.token), body: answer.body };
    },

    /** Waits until a deployment reaches a state. */
    async waitForState({ token }: Account, id: string, state: string): Promise<JsonObject> {
      return waitFor(async () => {
        const { body } = await call(`${DEPLOYMENTS}/${id}`, { token });
        expect(body).toMatchObject({ state });
        return body;
      });
    },

    /** A chat completion at a deployment's own endpoint. */
    chat: (id: string, token?: string, { wait = 0, body = {}, headers = {} }: ChatOptions = {}) =>
      call(`/api/deployments/${id}/v1/chat/completions`, {
        token,
        body: { model: DEMO_MODEL, messages: [{ role: "user", content: "Hello" }], ...body },
        headers: { "x-wait-for-model": String(wait), ...headers },
      }),

    async close(): Promise<void> {
      await server.close();
      engines.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type ChatOptions = { wait?: number; body?: JsonObject; headers?: Record<string, string> };
/** A running test server with deployments. */
export type PrivateCloudServer = Awaited<ReturnType<typeof createPrivateCloudServer>>;
