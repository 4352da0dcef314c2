import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { errorCode } from "@feather/testing/errors";
import { startHttpServer } from "@feather/testing/http-server";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PEER_VERSION } from "../platform/core/replicas/peer-version.ts";
import { LARGE_MODEL } from "../testing/chat.ts";
import { createTestReplicas, type TestReplicas } from "../testing/replicas.ts";
import type { Account } from "../testing/server.ts";

let replicas: TestReplicas;
let admin: Account;

beforeAll(async () => {
  replicas = await createTestReplicas({
    env: { FEATHER_TRUSTED_PROXIES: "127.0.0.1", FEATHER_RATE_LIMITS: "on" },
  });
  admin = await replicas.leader.signInAdmin();
});
afterAll(() => replicas.close());

const HOST = "/api/admin/model-host";
const peerPaths = ["/peer/hosting", "/peer/calls", "/engines/feather%2Fdemo/v1/models", `/forward${HOST}`];
const tokenOf = () => replicas.other.platform.peerToken.value;

test("what only the leader can answer is forwarded by another replica, with the same answer", async () => {
  await waitFor(() => expect(replicas.leader.api.modelHost.host.isLoadingPinned()).toBe(false));
  const [here, there] = await Promise.all(
    [replicas.leader, replicas.other].map(({ call }) => call(HOST, { token: admin.token })),
  );
  expect(there?.status).toBe(200);
  expect(there?.body).toMatchObject({ models: expect.arrayContaining([expect.objectContaining({ state: "warm" })]) });
  expect(Object.keys(there?.body as object)).toEqual(Object.keys(here?.body as object));
  expect(there?.headers.get("content-security-policy")).toBe(here?.headers.get("content-security-policy"));
});

test("the caller's own credential decides, and the leader's errors are passed on", async () => {
  const owner = await replicas.leader.signUp();
  const refused = await replicas.other.call(HOST, { token: owner.token });
  expect([refused.status, errorCode(refused.body)]).toEqual([404, "not_found"]);
  expect((await replicas.other.call(HOST)).status).toBe(401);
  const unknown = await replicas.other.call("/api/admin/models/feather/nothing/unload", {
    method: "POST",
    token: admin.token,
  });
  expect([unknown.status, errorCode(unknown.body)]).toEqual([404, "model_not_found"]);
});

test("a body is passed on, and the audit log names the caller's address", async () => {
  const { status, body } = await replicas.other.call("/api/admin/models/feather/demo/redeploy", {
    method: "POST",
    token: admin.token,
    headers: { "x-forwarded-for": "203.0.113.7" },
  });
  expect([status, body]).toMatchObject([202, { status: "pending_deploy" }]);
  const entry = await replicas.leader.db
    .selectFrom("audit_log")
    .select("ip")
    .where("action", "=", "models.redeploy")
    .executeTakeFirstOrThrow();
  expect(entry.ip).toBe("203.0.113.7");
  const invalid = await replicas.other.call("/api/admin/store/pulls", { token: admin.token, body: { model_id: 5 } });
  expect([invalid.status, errorCode(invalid.body)]).toEqual([400, "invalid_request"]);
});

test("an IP allow-list holds for the caller's address, and callers cannot state another to the leader", async () => {
  const owner = await replicas.leader.signUp();
  const key = await replicas.leader.createKey(owner, { ip_allowlist: ["203.0.113.7"] });
  const PROVIDERS = "/api/feather/private-cloud/deployment-providers";
  const callFrom = async (headers: Record<string, string>) =>
    (await replicas.other.call(PROVIDERS, { token: key.secret, headers })).status;
  expect(await callFrom({ "x-forwarded-for": "203.0.113.7" })).toBe(200);
  expect(await callFrom({})).toBe(403);
  expect(await callFrom({ "feather-caller-address": "203.0.113.7" })).toBe(403);
  expect(await callFrom({ "feather-caller-authorization": `Bearer ${admin.token}` })).toBe(403);
});

test("the address of the caller's connection is that which the leader sees", async () => {
  const owner = await replicas.leader.signUp();
  const key = await replicas.leader.createKey(owner, { ip_allowlist: ["127.0.0.2"] });
  const callFrom = async (localAddress: string, headers: Record<string, string> = {}) => {
    const url = `${replicas.other.url}/api/feather/private-cloud/deployment-providers`;
    const options = { localAddress, headers: { authorization: `Bearer ${key.secret}`, ...headers } };
    const [response] = (await once(sendRequest(url, options).end(), "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await callFrom("127.0.0.2")).toBe(200);
  expect(await callFrom("127.0.0.1")).toBe(403);
  expect(await callFrom("127.0.0.3", { "x-forwarded-for": "127.0.0.2" }), "not a trusted proxy").toBe(403);
});

test("a request for the leader is refused with 503 if there is no leader, and while the leader does not answer", async () => {
  const refused = async () => {
    const { status, body, headers } = await replicas.other.call(HOST, { token: admin.token });
    return [status, errorCode(body), headers.get("retry-after")];
  };
  replicas.membership.setLeader(null);
  expect(await refused()).toEqual([503, "unavailable", "3"]);
  replicas.membership.setLeader("leader");
  replicas.membership.setAddress("leader", "http://127.0.0.1:9"); // nothing listens there
  expect(await refused()).toEqual([503, "unavailable", "3"]);
  const withBody = { token: admin.token, body: { model_id: "feather/demo" } };
  expect((await replicas.other.call("/api/admin/store/pulls", withBody)).status).toBe(503);
  replicas.membership.setAddress("leader", replicas.leaderAddress);
  expect((await replicas.other.call(HOST, { token: admin.token })).status).toBe(200);
});

test("a forwarded request is not forwarded again", async () => {
  const response = await fetch(`${replicas.other.address}/forward${HOST}`, {
    headers: { authorization: `Bearer ${tokenOf()}`, "feather-caller-address": "203.0.113.7" },
  });
  expect([response.status, errorCode(await response.json())]).toEqual([503, "unavailable"]);
});

test("the listener for replicas refuses everything without the token, with no details", async () => {
  for (const path of [...peerPaths, "/", "/api/health/live"])
    for (const authorization of [undefined, "Bearer ", `Bearer ${admin.token}`, `Basic ${tokenOf()}`]) {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(replicas.leaderAddress + path, { method: "POST", headers });
      expect([response.status, await response.text()]).toEqual([401, ""]);
    }
});

test("the listener for replicas answers only calls of replicas, with valid input", async () => {
  const ask = async (path: string, body: string, method = "POST") => {
    const headers = { authorization: `Bearer ${tokenOf()}` };
    return (await fetch(replicas.leaderAddress + path, { method, headers, ...(method === "POST" && { body }) })).status;
  };
  expect(await ask("/peer/hosting", "{}")).toBe(200);
  expect(await ask("/peer/hosting", "{}", "GET")).toBe(404);
  expect(await ask("/peer/nothing", "{}")).toBe(404);
  expect(await ask("/api/health/live", "{}")).toBe(404);
  expect(await ask("/peer/calls", "{}")).toBe(400);
  expect(await ask("/peer/calls", "no JSON")).toBe(400);
  expect(await ask("/peer/calls", JSON.stringify({ organizationId: "x".repeat(70_000) }))).toBe(413);
  expect(await ask("/engines/feather%2Fnothing/v1/chat/completions", "{}")).toBe(503);
  expect(await ask("/engines/%/v1/chat/completions", "{}")).toBe(503);
});

test("another replica asks the leader about a model of unknown context length", async () => {
  const { id, model_class_id } = await replicas.leader.db
    .updateTable("models")
    .set({ context_length: null })
    .where("id", "=", LARGE_MODEL)
    .returning(["id", "model_class_id"])
    .executeTakeFirstOrThrow();
  const classes = replicas.leader.db.updateTable("model_classes").set({ context_length: null });
  await classes.where("id", "=", model_class_id).execute();
  const owner = await replicas.leader.signUpOnPlan({});
  const { status, body } = await replicas.other.call("/v1/preflight", { token: owner.token, body: { model: id } });
  expect([status, body]).toMatchObject([200, { context_length: null, refusal: { code: "capacity_exhausted" } }]);
});

test("a request of a replica of another version is refused, with this replica's version", async () => {
  const token = tokenOf().replace(/^\d+/, "99");
  for (const path of peerPaths) {
    const headers = { authorization: `Bearer ${token}` };
    const { status, headers: received } = await fetch(replicas.leaderAddress + path, { method: "POST", headers });
    expect([path, status, received.get("feather-peer-version")]).toEqual([path, 503, String(PEER_VERSION)]);
  }
  const forged = { authorization: `Bearer ${token}x` };
  expect((await fetch(`${replicas.leaderAddress}/peer/calls`, { method: "POST", headers: forged })).status).toBe(401);
});

test("a request for the leader is refused with the reason while the leader has another version, and others are answered", async () => {
  const leader = await startHttpServer((_request, response) => {
    response.writeHead(503, { "feather-peer-version": "99" }).end();
  });
  replicas.membership.setAddress("leader", leader.url);
  const refused = await replicas.other.call(HOST, { token: admin.token });
  expect([refused.status, errorCode(refused.body)]).toEqual([503, "unavailable"]);
  expect(refused.text).toContain("an upgrade is in progress");
  expect((await replicas.other.call("/api/account/concurrency", { token: admin.token })).status).toBe(200);
  replicas.membership.setAddress("leader", replicas.leaderAddress);
  expect((await replicas.other.call(HOST, { token: admin.token })).status).toBe(200);
  await leader.close();
});

test("a replica that does not lead does not answer for the leader, and relays to no engine", async () => {
  await waitFor(() => expect(replicas.other.api.modelHost.host.isWarm("feather/demo")).toBe(true));
  const headers = { authorization: `Bearer ${tokenOf()}` };
  const loadRequest = JSON.stringify({ key: "feather/demo", starts: true, call: null });
  const engineCall = "/engines/feather%2Fdemo/v1/chat/completions";
  for (const [path, body] of [
    ["/peer/hosting", "{}"],
    ["/peer/load-model", loadRequest],
    [engineCall, "{}"],
  ])
    expect(
      (await fetch(replicas.other.address + path, { method: "POST", headers, ...(body && { body }) })).status,
    ).toBe(503);
});

test("the public port does not answer what replicas ask each other", async () => {
  for (const path of peerPaths) {
    const response = await fetch(replicas.other.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${tokenOf()}` },
    });
    expect(response.status).toBe(404);
  }
});

test("a request is counted by the replica that answers it", async () => {
  const countOf = ({ traffic }: TestReplicas["other"]["platform"]) =>
    traffic.snapshot().filter(({ metric, labels }) => metric === "requests" && labels.includes("admin.modelHost.get"));
  const before = JSON.stringify(countOf(replicas.leader.platform));
  await replicas.other.call(HOST, { token: admin.token });
  await waitFor(() => expect(JSON.stringify(countOf(replicas.leader.platform))).not.toBe(before));
});

test("the state of the server names all replicas, the one that answers first", async () => {
  const { body } = await replicas.other.call("/api/admin/operations", { token: admin.token });
  expect(body).toMatchObject({
    replicas: [
      { id: "other", address: null, is_self: true, is_leader: false },
      { id: "leader", address: replicas.leaderAddress, is_self: false, is_leader: true },
    ],
  });
});
