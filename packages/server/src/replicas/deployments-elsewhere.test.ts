import { parseEvents } from "@feather/testing/chat-events";
import { errorCode } from "@feather/testing/errors";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../testing/chat.ts";
import { DEPLOYMENTS } from "../testing/private-cloud.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account } from "../testing/server.ts";

/** Replicas with a deployment that is created, paused, called and read through one that does not lead. */
let replicas: TestReplicas;
let owner: Account;
let deployment: { id: string; token: string };

beforeAll(async () => {
  replicas = await createTestReplicas({ engine: { tokens: ["a", "b", "c"] } });
  owner = await replicas.leader.signUpOnPlan({ private_cloud: true });
  const fields = { name: "bot", provider_id: "local", region: "here", instance_type: "cpu", model_id: "feather/demo" };
  const created = await replicas.other.call(DEPLOYMENTS, { token: owner.token, body: fields });
  if (created.status !== 202) throw new Error(`No deployment: ${created.text}`);
  deployment = created.body as { id: string; token: string };
});
afterAll(() => replicas.close());

const chat = (token?: string, more: object = {}) =>
  replicas.other.call(`/api/deployments/${deployment.id}/v1/chat/completions`, {
    token,
    body: createChatRequest(more),
    headers: { "x-wait-for-model": "20" },
  });

test("a deployment that was made at another replica runs on the leader, and is called there with its token", async () => {
  const { status, body } = await chat(deployment.token);
  expect([status, body]).toMatchObject([200, { choices: [{ message: { content: "abc" } }] }]);
  expect(parseEvents((await chat(deployment.token, { stream: true })).text).at(-1)).toBe("[DONE]");
  const refused = await chat();
  expect([refused.status, errorCode(refused.body)]).toEqual([401, "deployments.unauthorized"]);
  await replicas.leader.api.gateway.usageWriter.flush();
  const rows = await replicas.leader.db.selectFrom("requests").select("backend").execute();
  expect(rows).toEqual([{ backend: deployment.id }, { backend: deployment.id }]);
  expect(replicas.other.api.deployments.registry.list(), "the other replica runs none of it").toEqual([]);
});

test("a call that is being forwarded is one of those that a server waits for when it stops", async () => {
  const { promise: thinkUntil, resolve: think } = Promise.withResolvers<void>();
  replicas.engines.upstream.scripts.set("feather/demo", { thinkUntil });
  const answer = chat(deployment.token);
  await waitFor(() => expect(replicas.other.platform.forwarding.count()).toBe(1));
  think();
  expect((await answer).status).toBe(200);
  await waitFor(() => expect(replicas.other.platform.forwarding.count()).toBe(0));
});

test("calls with a deployment's token end when it is replaced, at whichever replica", async () => {
  replicas.engines.upstream.scripts.set("feather/demo", { delayMs: 60_000 });
  const streamed = chat(deployment.token, { stream: true });
  const whole = chat(deployment.token);
  const ofOwner = chat(owner.token, { stream: true });
  await waitFor(() => expect(replicas.engines.upstream.active()).toBe(3));
  const { jobs } = replicas.leader.platform;
  const endCalls = () => jobs.find(({ name }) => name === "end calls of callers who may no longer make them")?.run();
  await endCalls();
  expect(replicas.leader.api.gateway.running.count()).toBe(3);
  const path = `${DEPLOYMENTS}/${deployment.id}/token`;
  const replaced = await replicas.other.call(path, { method: "POST", token: owner.token });
  deployment.token = (replaced.body as { token: string }).token;
  await endCalls();
  expect(errorCode(JSON.parse(parseEvents((await streamed).text).at(-1) ?? "{}"))).toBe("unauthorized");
  const { status, body } = await whole;
  expect([status, errorCode(body)]).toEqual([401, "unauthorized"]);
  expect(replicas.leader.api.gateway.running.count(), "the call with another credential goes on").toBe(1);
  replicas.leader.api.gateway.running.abortAll();
  await expect(ofOwner).rejects.toThrow("terminated"); // a server that stops cuts its streams
  replicas.engines.upstream.scripts.delete("feather/demo");
});

const followLogs = (gone = new AbortController()) =>
  replicas.other.send(`${DEPLOYMENTS}/${deployment.id}/logs?tail=1`, {
    token: owner.token,
    headers: { accept: "text/event-stream" },
    signal: gone.signal,
  });

test("logs that are followed at another replica end when the leader that writes them leads no more", async () => {
  const response = await followLogs();
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  replicas.membership.setLeader(null);
  await expect(reader?.read()).rejects.toThrow();
  await waitFor(() => expect(replicas.leader.platform.eventStreams.count()).toBe(0));
  const refused = await followLogs();
  expect([refused.status, errorCode(await refused.json())]).toEqual([503, "unavailable"]);
  replicas.membership.setLeader("leader");
});

test("an event stream of the leader is followed at another replica, and ends there when its reader goes", async () => {
  const gone = new AbortController();
  const response = await followLogs(gone);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('"text":"ready"');
  expect(replicas.leader.platform.eventStreams.count()).toBe(1);
  gone.abort();
  await waitFor(() => expect(replicas.leader.platform.eventStreams.count()).toBe(0));
});
