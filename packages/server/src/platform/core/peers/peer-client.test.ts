import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { errors } from "../errors/index.ts";
import type { OtherReplica } from "../replicas/replicas.ts";
import { type PeerCall, toPeerError } from "./peer-call.ts";
import { createPeerClient, type PeerClient } from "./peer-client.ts";
import { PEER_VERSION_HEADER } from "./peer-token.ts";

const TOKEN = "1.token";
const NOBODY: OtherReplica = { id: "rep_gone", address: "http://127.0.0.1:9" };
const COUNT: PeerCall<{ of: string }, { count: number }> = {
  name: "count",
  input: z.object({ of: z.string() }),
  output: z.object({ count: z.number() }),
  timeoutMs: 30_000,
};

const servers: Server[] = [];
const clients: PeerClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
/** Returns the answer with this status and JSON. */
const sendJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
const never: Answer = () => {};

/** Starts a replica that answers like this. */
async function startReplica(id: string, answer: Answer): Promise<OtherReplica> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    answer(request, response, body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { id, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function createClient(others: readonly OtherReplica[], leader: OtherReplica | null = null): PeerClient {
  const client = createPeerClient({ replicas: { others: () => others, leader: () => leader }, token: TOKEN });
  clients.push(client);
  return client;
}
/** Calls a leader that answers like this. */
const askLeader = async (answer: Answer, call = COUNT) =>
  createClient([], await startReplica("rep_1", answer)).askLeader(call, { of: "calls" });

describe("a call to the leader", () => {
  test("a call is sent with the token of the replicas and its input", async () => {
    const seen: unknown[] = [];
    const result = await askLeader((request, response, body) => {
      seen.push(request.method, request.url, request.headers.authorization, JSON.parse(body));
      response.end('{"count":3}');
    });
    expect(result).toEqual({ count: 3 });
    expect(seen).toEqual(["POST", "/peer/count", `Bearer ${TOKEN}`, { of: "calls" }]);
  });

  test("an error of the leader for callers is thrown as it is", async () => {
    const refusal = errors.hub.gated({ model: "acme/tiny" });
    await expect(askLeader(sendJson(403, toPeerError(refusal)))).rejects.toMatchObject({
      status: 403,
      code: "hub.gated",
      message: refusal.message,
    });
  });

  test("a leader of another version is named as the reason", async () => {
    await expect(askLeader(sendJson(503, {}, { [PEER_VERSION_HEADER]: "9" }))).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("another version"),
    });
  });

  test.each([
    ["fails without an error for callers", sendJson(500, {})],
    ["answers something else", sendJson(200, { count: "three" })],
    ["answers no JSON", (_request, response) => void response.end("<html>")],
    ["breaks off", (_request, response) => void response.write('{"count":', () => response.destroy())],
    ["closes the connection", (request) => void request.socket.destroy()],
  ] satisfies [string, Answer][])(
    "a leader that %s is unavailable, and callers may try again",
    async (_what, answer) => {
      await expect(askLeader(answer)).rejects.toMatchObject({
        status: 503,
        code: "unavailable",
        headers: { "retry-after": "3" },
      });
    },
  );

  test("a leader that does not answer in time is unavailable", async () => {
    await expect(askLeader(never, { ...COUNT, timeoutMs: 1 })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("a leader that is gone is unavailable, and so is the leader while there is none", async () => {
    for (const leader of [NOBODY, null])
      await expect(createClient([], leader).askLeader(COUNT, { of: "calls" })).rejects.toMatchObject({
        status: 503,
        code: "unavailable",
      });
  });
});

describe("a call to all other replicas", () => {
  test("the answers of those that respond are returned, and the others are counted", async () => {
    const others = [
      await startReplica("rep_1", sendJson(200, { count: 1 })),
      NOBODY,
      await startReplica("rep_2", sendJson(200, { count: 2 })),
      await startReplica("rep_3", sendJson(500, {})),
      await startReplica("rep_4", sendJson(503, {}, { [PEER_VERSION_HEADER]: "9" })),
    ];
    expect(await createClient(others).askOthers(COUNT, { of: "calls" })).toEqual({
      answers: [{ count: 1 }, { count: 2 }],
      replicaIds: ["rep_1", "rep_2"],
      missing: 3,
    });
  });

  test("only those that are meant are called", async () => {
    const others = [
      await startReplica("rep_1", () => expect.unreachable("It was called.")),
      await startReplica("rep_2", sendJson(200, { count: 2 })),
    ];
    const result = await createClient(others).askOthers(COUNT, { of: "calls" }, ({ id }) => id === "rep_2");
    expect(result).toEqual({ answers: [{ count: 2 }], replicaIds: ["rep_2"], missing: 0 });
  });

  test("without other replicas there are no answers", async () => {
    expect(await createClient([]).askOthers(COUNT, { of: "calls" })).toEqual({
      answers: [],
      replicaIds: [],
      missing: 0,
    });
  });

  test("a replica that never answers does not keep back the answers of others for longer than the call's time", async () => {
    const others = [await startReplica("rep_1", never), NOBODY];
    expect(await createClient(others).askOthers({ ...COUNT, timeoutMs: 1 }, { of: "calls" })).toMatchObject({
      missing: 2,
    });
  });
});
