import { startHttpServer } from "@feather/testing/http-server";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { fetchResponse, type UpstreamRequest } from "./response.ts";

/** Starts a backend. Returns its requests, and one to it with this signature. */
async function startBackend(signature: UpstreamRequest["signature"], signal = new AbortController().signal) {
  const backend = await startHttpServer((_request, response) => response.end("{}"));
  const dispatcher = new Agent();
  onTestFinished(async () => {
    await dispatcher.destroy();
    await backend.close();
  });
  const headers = { accept: "application/json" };
  const options = { origin: backend.url, path: "/", method: "GET", headers } as const;
  return { requests: backend.requests, request: { dispatcher, signal, options, ...(signature && { signature }) } };
}

test("a request is sent with the headers that sign it", async () => {
  const { requests, request } = await startBackend(Promise.resolve({ authorization: "signed" }));
  await fetchResponse(request);
  expect(requests).toMatchObject([{ headers: { accept: "application/json", authorization: "signed" } }]);
});

test("a request that cannot be signed is not sent", async () => {
  const failure = new Error("There is no such algorithm.");
  const { requests, request } = await startBackend(Promise.reject(failure));
  await expect(fetchResponse(request)).rejects.toBe(failure);
  expect(requests).toEqual([]);
});

test("a request that ends while it is signed is not sent", async () => {
  const { promise, resolve } = Promise.withResolvers<Record<string, string>>();
  const aborting = new AbortController();
  const { requests, request } = await startBackend(promise, aborting.signal);
  const response = fetchResponse(request);
  const reason = new Error("The caller has gone.");
  aborting.abort(reason);
  await expect(response).rejects.toBe(reason);
  resolve({});
  await fetchResponse({ ...request, signature: null, signal: new AbortController().signal });
  expect(requests).toHaveLength(1);
});
