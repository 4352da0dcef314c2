import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createFeather } from "@feather/sdk";
import { freePort } from "@feather/testing/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, startPlatform } from "../support/platform.ts";

const BUILT_IN_MODEL = "feather/demo";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feather-ready-"));
  chmodSync(folder, 0o711);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a server, runs `use` at the moment its health check says that it is ready, and stops it. */
async function atReady<T>(use: (baseUrl: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const starting = startPlatform(folder, { FEATHER_PORT: String(port) });
  starting.catch(() => {}); // reported below
  try {
    const isReady = () =>
      fetch(`${baseUrl}/api/health/ready`).then(
        ({ status }) => status === 200,
        () => false,
      );
    while (!(await isReady())) await Promise.race([setImmediate(), starting.then(() => {})]);
    return await use(baseUrl);
  } finally {
    const { process: server, ended } = await starting;
    server.kill("SIGTERM");
    await ended;
  }
}

const callBuiltInModel = async (baseUrl: string, secret: string) => {
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: BUILT_IN_MODEL, messages: [{ role: "user", content: "Hello" }], max_tokens: 1 }),
  });
  return answer.status;
};

test("a server that is ready for the first time lets its first admin in and answers the first call to its own model, also after the next start", async () => {
  const secret = await atReady(async (baseUrl) => {
    const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
    const token = response.headers.get("x-session-token") ?? "";
    expect(await callBuiltInModel(baseUrl, token)).toBe(200);
    return (await createFeather({ baseUrl, token }).apiKeys.create({ name: "next start" })).secret;
  });
  expect(await atReady((baseUrl) => callBuiltInModel(baseUrl, secret))).toBe(200);
});
