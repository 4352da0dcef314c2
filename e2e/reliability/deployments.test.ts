import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@feather/testing/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";

const KILLS = 3;
const DEPLOYMENTS = "/api/feather/private-cloud/deployments";

let folder: string;
let port: number;
let platform: Platform;
let session: string;

const start = () => startPlatform(folder, { FEATHER_PORT: String(port), FEATHER_LOG_LEVEL: "silent" });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-deployments-"));
  chmodSync(folder, 0o711);
  port = await freePort();
  platform = await start();
  const answer = await ask("/api/auth/login", { body: ADMIN });
  session = answer.headers.get("x-session-token") ?? "";
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  rmSync(folder, { recursive: true, force: true });
});

type RequestOptions = { method?: string; body?: object; token?: string };

function ask(path: string, { method, body, token }: RequestOptions = {}): Promise<Response> {
  return fetch(platform.baseUrl + path, {
    method: method ?? (body ? "POST" : "GET"),
    headers: {
      ...(body && { "content-type": "application/json" }),
      "x-session-transport": "token",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
async function read<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await (await ask(path, { token: session, ...options })).json()) as T;
}

/** Processes that run models, by the server that started them. */
function enginesOf(server: number | undefined): number[] {
  return execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`/feather-engine-${server}-`))
    .map((line) => Number.parseInt(line.trim(), 10));
}

const ready = async (id: string) =>
  (await read<{ ready_replicas: number }>(`${DEPLOYMENTS}/${id}`).catch(() => ({ ready_replicas: -1 }))).ready_replicas;

async function chat(id: string, token: string): Promise<number> {
  const body = { model: "any", messages: [{ role: "user", content: "Hello" }], max_tokens: 4 };
  return (await ask(`/api/deployments/${id}/v1/chat/completions`, { body, token })).status;
}

test(`deployments survive ${KILLS} kills of the server and leave no processes behind`, async () => {
  const settings = {
    name: "steady",
    provider_id: "local",
    region: "here",
    instance_type: "cpu",
    model_id: "feather/demo",
    min_replicas: 2,
    max_replicas: 2,
  };
  const { id, token } = await read<{ id: string; token: string }>(DEPLOYMENTS, { body: settings });
  const paused = await read<{ id: string }>(DEPLOYMENTS, { body: { ...settings, name: "paused" } });
  await read(`${DEPLOYMENTS}/${paused.id}/pause`, { method: "POST" });

  for (let kill = 0; kill < KILLS; kill++) {
    await expect.poll(() => ready(id)).toBe(2);
    expect(await chat(id, token)).toBe(200);
    const { pid } = platform.process;
    expect(enginesOf(pid).length).toBeGreaterThan(3); // its two, and those of the models that come with the platform
    if (kill > 0) {
      // In the middle of replacing replicas: at another moment each time.
      void ask(`${DEPLOYMENTS}/${id}`, {
        method: "PUT",
        token: session,
        body: { engine_args: { context: 512 + kill } },
      }).catch(() => {});
      await sleep(kill * 300);
    }
    platform.process.kill("SIGKILL");
    await platform.ended;
    await expect.poll(() => enginesOf(pid)).toEqual([]);
    platform = await start();
  }

  await expect.poll(() => ready(id)).toBe(2);
  await expect
    .poll(async () => (await read<{ items: object[] }>(`${DEPLOYMENTS}/${id}/replicas`)).items.length, {})
    .toBe(2);
  expect(await chat(id, token)).toBe(200);
  expect(await read<{ state: string }>(`${DEPLOYMENTS}/${paused.id}`)).toMatchObject({
    state: "paused",
    ready_replicas: 0,
  });
}, 1_200_000);

test("a deployment that was being deleted stays deleted, and stopping the server leaves no processes behind", async () => {
  const { items } = await read<{ items: { id: string }[] }>(DEPLOYMENTS);
  const { pid } = platform.process;
  for (const { id } of items)
    expect((await ask(`${DEPLOYMENTS}/${id}`, { method: "DELETE", token: session })).status).toBe(204);
  platform.process.kill("SIGKILL");
  await platform.ended;
  await expect.poll(() => enginesOf(pid)).toEqual([]);
  platform = await start();
  await expect.poll(async () => (await read<{ items: object[] }>(DEPLOYMENTS)).items).toEqual([]);
  const last = platform.process.pid;
  platform.process.kill("SIGTERM");
  expect(await platform.ended).toBe(0);
  expect(enginesOf(last)).toEqual([]);
  platform = await start();
}, 1_200_000);
