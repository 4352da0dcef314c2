import { errorCode } from "@feather/testing/errors";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account, Answer } from "../testing/server.ts";

const CONCURRENCY = "/api/account/concurrency";
type Snapshot = { used_cost: number; requests: { id: string; output_tokens: number | null; is_own: boolean }[] };

let replicas: TestReplicas;
let owner: Account;

beforeAll(async () => {
  replicas = await createTestReplicas({ engine: { tokens: Array<string>(10_000).fill("x"), delayMs: 20 } });
  await waitFor(() => expect(replicas.other.api.modelHost.host.isWarm("feather/demo")).toBe(true));
});
beforeEach(async () => {
  owner = await replicas.leader.signUpOnPlan({ concurrency: 4 });
});
afterAll(() => replicas.close());

const servers = () => [replicas.leader, replicas.other];
const chat = ({ call }: Pick<TestReplicas["other"], "call">, token: string): Promise<Answer> =>
  call("/v1/chat/completions", { token, body: createChatRequest({ stream: true }) });
const stopAt = ({ call }: Pick<TestReplicas["other"], "call">, id: string, token: string) =>
  call(`${CONCURRENCY}/${id}`, { method: "DELETE", token });

async function readAt({ call }: Pick<TestReplicas["other"], "call">, token: string): Promise<Snapshot> {
  return (await call(CONCURRENCY, { token })).body as Snapshot;
}

/** Starts a call at each replica. Returns both calls, and their ids as soon as the list of running calls has them. */
async function startCalls(token: string) {
  const answers = servers().map((server) => chat(server, token));
  await waitFor(async () => expect((await readAt(replicas.other, token)).requests.length).toBe(2));
  const { requests } = await readAt(replicas.other, token);
  return { answers, ids: requests.map(({ id }) => id) };
}

test("the running calls of both replicas are shown at each, with their progress; both hold units", async () => {
  const { answers, ids } = await startCalls(owner.token);
  for (const server of servers())
    await waitFor(async () => {
      const { used_cost, requests } = await readAt(server, owner.token);
      expect([used_cost, requests.length]).toEqual([2, 2]);
      expect(requests.every(({ output_tokens, is_own }) => is_own && (output_tokens ?? 0) > 0)).toBe(true);
    });
  const stream = await replicas.other.send(`${CONCURRENCY}/stream`, { token: owner.token });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const event = (await reader?.read())?.value ?? "";
  expect(JSON.parse(event.slice("data: ".length))).toMatchObject({ used_cost: 2, request_count: 2 });
  await reader?.cancel();
  const preflight = await replicas.other.call("/v1/preflight", { token: owner.token, body: { model: "feather/demo" } });
  expect(preflight.body).toMatchObject({ units: { used: 2 } });
  const over = await replicas.other.call("/api/usage/concurrencies?bucket=minute", { token: owner.token });
  expect(over.body).toMatchObject({ peak: 2 });
  for (const id of ids) await stopAt(replicas.other, id, owner.token);
  await Promise.all(answers);
});

test("a preflight counts what runs at other replicas, and not what they keep for their next call", async () => {
  const preflight = async (prompts: number, token = owner.token) => {
    const answer = await replicas.other.call("/v1/preflight", { token, body: { model: "feather/demo", prompts } });
    const { admitted, units } = answer.body as { admitted: boolean; units: { used: number } };
    return [admitted, units.used];
  };
  const key = await replicas.leader.createKey(owner, { max_concurrency: 1 });
  const answer = chat(replicas.leader, key.secret);
  await waitFor(async () => expect(await preflight(3)).toEqual([true, 1]));
  expect(await preflight(4)).toEqual([false, 1]);
  expect(await preflight(1, key.secret)).toEqual([false, 1]);
  const { requests } = await readAt(replicas.leader, owner.token);
  await stopAt(replicas.leader, requests[0]?.id ?? "", owner.token);
  await answer;
  const kept = await replicas.leader.db
    .selectFrom("borrowed_units")
    .select("units")
    .where("pool", "=", `organization:${owner.organizationId}`)
    .where("replica_id", "=", "leader")
    .executeTakeFirst();
  expect(kept?.units).toBeGreaterThan(0);
  expect(await preflight(4)).toEqual([true, 0]);
  expect(await preflight(1, key.secret)).toEqual([true, 0]);
});

test("a call that runs at another replica can be stopped only by its caller", async () => {
  const [first, second] = [await replicas.leader.createKey(owner), await replicas.leader.createKey(owner)];
  const stranger = await replicas.leader.signUpOnPlan({ concurrency: 4 });
  const { answers, ids } = await startCalls(first.secret);
  for (const token of [stranger.token, second.secret])
    for (const id of ids) {
      const refused = await stopAt(replicas.other, id, token);
      expect([refused.status, errorCode(refused.body)]).toEqual([404, "concurrency.not_found"]);
    }
  const seen = await readAt(replicas.other, second.secret);
  expect(seen.requests.map(({ is_own }) => is_own)).toEqual([false, false]);
  expect((await readAt(replicas.other, stranger.token)).requests).toEqual([]);
  for (const id of ids) expect((await stopAt(replicas.other, id, first.secret)).status).toBe(204);
  for (const { text } of await Promise.all(answers)) {
    const last = text.trim().split("\n\n").at(-1)?.slice("data: ".length) ?? "{}";
    expect(errorOf(JSON.parse(last)).code).toBe("request_stopped");
  }
  const ended = await stopAt(replicas.other, ids[0] ?? "", first.secret);
  expect(ended.status, "after it has ended").toBe(404);
});

test("a replica that does not answer is left out of the view, and calls that may run there are not reported as ended", async () => {
  replicas.membership.setAddress("leader", "http://127.0.0.1:9"); // nothing listens there
  try {
    expect(await readAt(replicas.other, owner.token)).toMatchObject({ used_cost: 0, requests: [] });
    const { status, body, headers } = await stopAt(replicas.other, "req_unknown", owner.token);
    expect([status, errorCode(body), headers.get("retry-after")]).toEqual([503, "unavailable", "2"]);
  } finally {
    replicas.membership.setAddress("leader", replicas.leaderAddress);
  }
});
