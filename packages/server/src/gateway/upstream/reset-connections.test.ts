import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { fetchResponse } from "./response.ts";

/**
 * Starts a backend that answers the given number of requests on each connection and resets the connection at the next one.
 */
async function startBackend(answersOfConnection: number) {
  const answered = new Map<Socket, number>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const count = (answered.get(request.socket) ?? 0) + 1;
    answered.set(request.socket, count);
    if (count > answersOfConnection) request.socket.resetAndDestroy();
    else response.end("ok");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispatchers = [new Agent()];
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
  });
  const openDispatcher = () => {
    const agent = new Agent();
    dispatchers.push(agent);
    return agent;
  };
  const [dispatcher = openDispatcher()] = dispatchers;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const options = { origin, path: "/", method: "POST" as const, body: "{}" };
  return {
    call: () => fetchResponse({ dispatcher, options, signal, openDispatcher }),
    countRequests: () => requests,
  };
}

test("a request over a connection that the backend resets before it answers is sent again over a new one", async () => {
  const backend = await startBackend(1);
  for (let count = 0; count < 3; count++) expect((await backend.call()).text).toBe("ok");
});

test("a request that is reset over a new connection is not sent again", async () => {
  const backend = await startBackend(0);
  await expect(backend.call()).rejects.toThrow();
  expect(backend.countRequests()).toBe(1);
});
