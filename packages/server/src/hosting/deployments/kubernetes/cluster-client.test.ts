import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Respond, sendJson, startHttpServer } from "@feather/testing/http-server";
import { expect, onTestFinished, test } from "vitest";
import { ClusterError } from "./cluster-api.ts";
import { createClusterClient } from "./cluster-client.ts";

const TIMES = { answerMs: 5_000, silenceMs: 5_000 };
const SIZES = { answerBytes: 1_000_000, lineLength: 1_000_000 };

async function connect(respond: Respond, times = TIMES, sizes = SIZES) {
  const server = await startHttpServer(respond);
  const folder = mkdtempSync(join(tmpdir(), "cluster-client-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const connection = join(folder, "kubeconfig");
  const config = {
    clusters: [{ name: "c", cluster: { server: `${server.url}/`, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { token: "secret" } }],
    contexts: [
      { name: "none", context: { cluster: "missing", user: "u" } },
      { name: "c", context: { cluster: "c", user: "u" } },
    ],
    "current-context": "none",
  };
  const write = () => writeFileSync(connection, JSON.stringify(config));
  const client = createClusterClient({ connection, context: "c", namespace: "models" }, times, sizes);
  return { client, requests: server.requests, write };
}

const pod = (name: string) => ({ metadata: { name, resourceVersion: "7" } });
const watch = { labelSelector: "feather/owner=f", resourceVersion: "5", signal: new AbortController().signal };

test("the client of a cluster lists all pages, with the token of the named context", async () => {
  const { client, requests, write } = await connect(({ url }, response) => {
    const isFirst = !url.includes("continue=");
    const metadata = isFirst ? { resourceVersion: "5", continue: "next" } : { resourceVersion: "6" };
    sendJson(response, 200, { metadata, items: [pod(isFirst ? "a" : "b")] });
  });
  write();
  const { items, resourceVersion } = await client.list("Pod", "feather/owner=f");
  expect(items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name])).toEqual([
    ["Pod", "v1", "a"],
    ["Pod", "v1", "b"],
  ]);
  expect(resourceVersion).toBe("6");
  expect(requests[0]?.headers.authorization).toBe("Bearer secret");
  expect(requests[0]?.url).toMatch(
    /^\/api\/v1\/namespaces\/models\/pods\?labelSelector=feather%2Fowner%3Df&limit=500$/,
  );
});

test("the client of a cluster reads a kubeconfig that is created after its first request", async () => {
  const { client, write } = await connect((_request, response) => sendJson(response, 200, { metadata: {}, items: [] }));
  await expect(client.list("Pod", "")).rejects.toThrow(/ENOENT/);
  write();
  expect((await client.list("Pod", "")).items).toEqual([]);
});

test("a watch that expires fails with the status that the server sends in the stream", async () => {
  const { client, write } = await connect((_request, response) => {
    response.write(`${JSON.stringify({ type: "ADDED", object: pod("a") })}\n`);
    response.end(
      `${JSON.stringify({ type: "ERROR", object: { code: 410, reason: "Expired", message: "too old" } })}\n`,
    );
  });
  write();
  const seen: string[] = [];
  const watching = client.watch("Pod", watch, ({ object }) => void seen.push(object.metadata.name));
  await expect(watching).rejects.toMatchObject({ status: 410, reason: "Expired" });
  expect(seen).toEqual(["a"]);
});

test("a watch that receives nothing for too long is aborted", async () => {
  const { client, write } = await connect((_request, response) => response.writeHead(200).flushHeaders(), {
    ...TIMES,
    silenceMs: 50,
  });
  write();
  await expect(client.watch("Pod", watch, () => {})).rejects.toThrow(ClusterError);
});

test("the cluster is asked to end a watch before its silence counts as a failure", async () => {
  const { client, write } = await connect(({ url }, response) => {
    seconds = Number(new URL(url, "http://cluster").searchParams.get("timeoutSeconds"));
    response.end();
  });
  write();
  let seconds = 0;
  await client.watch("Pod", watch, () => {});
  expect(seconds).toBeGreaterThan(0);
  expect(seconds * 1_000).toBeLessThan(TIMES.silenceMs);
});

test("a request to the cluster without a response in time is an error without a status", async () => {
  const { client, write } = await connect(() => {}, { ...TIMES, answerMs: 50 });
  write();
  await expect(client.list("Pod", "")).rejects.toMatchObject({ status: 0, message: "it gave no answer in time" });
});

test("a pod's log has the time of each line, and leaves out error messages of the node", async () => {
  const { client, write } = await connect((_request, response) =>
    response.end(
      "2026-03-01T12:00:00.5Z one two\nunable to retrieve container logs for containerd://x\n2026-03-01T12:00:01Z \n",
    ),
  );
  write();
  const lines: object[] = [];
  for await (const line of client.logs("p", { container: "model" }, watch.signal)) lines.push(line);
  expect(lines).toEqual([
    { time: "2026-03-01T12:00:00.5Z", text: "one two" },
    { time: "2026-03-01T12:00:01Z", text: "" },
  ]);
});

test("deleting a missing object of the cluster is no error, and other refusals have the server's message", async () => {
  const { client, write } = await connect(({ url }, response) => {
    const code = url.includes("gone") ? 404 : 409;
    sendJson(response, code, { code, reason: "Conflict", message: "no" }, { "retry-after": "3" });
  });
  write();
  await client.delete("Secret", "gone");
  await expect(client.delete("Secret", "other")).rejects.toMatchObject({
    status: 409,
    reason: "Conflict",
    message: "no",
    retryAfterSeconds: 3,
  });
});

/** Responds with a body that never ends. */
const respondWithoutEnd =
  (status: number, head = ""): Respond =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.write(head);
    const write = () => {
      while (!response.closed && response.write("x".repeat(10_000)));
    };
    response.on("drain", write);
    write();
  };

test("an answer that is larger than the limit is given up, and not read on", async () => {
  const { client, write } = await connect(respondWithoutEnd(200), TIMES, { ...SIZES, answerBytes: 50_000 });
  write();
  await expect(client.list("Pod", "")).rejects.toMatchObject({ status: 0, message: /^It sent more than/ });
});

test("a refusal whose body has no end keeps its status", async () => {
  const { client, write } = await connect(respondWithoutEnd(403));
  write();
  await expect(client.list("Pod", "")).rejects.toMatchObject({ status: 403, message: "" });
});

test("of a line of a log that is longer than the limit, only the beginning is read", async () => {
  const { client, write } = await connect(
    (_request, response) => response.end(`2026-03-01T12:00:00Z ${"long ".repeat(1_000)}\n2026-03-01T12:00:01Z next\n`),
    TIMES,
    { ...SIZES, lineLength: 30 },
  );
  write();
  const texts: string[] = [];
  for await (const { text } of client.logs("p", { container: "model" }, watch.signal)) texts.push(text);
  expect(texts).toEqual(["long long", "next"]);
});

test("a watch whose event is longer than the limit fails, so that its objects are listed anew", async () => {
  const { client, write } = await connect(
    (_request, response) => response.end(`${JSON.stringify({ type: "ADDED", object: pod("a".repeat(100)) })}\n`),
    TIMES,
    { ...SIZES, lineLength: 50 },
  );
  write();
  await expect(client.watch("Pod", watch, () => {})).rejects.toThrow(ClusterError);
});
