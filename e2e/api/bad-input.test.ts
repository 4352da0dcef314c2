import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();

/** Starts the platform with these settings and tells how it ended. */
function start(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ["packages/server/bin/server.js"], {
    env: { ...process.env, FEATHER_DISCOVER: "off", FEATHER_STARTER_MODEL: "off", ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      said += part.toString();
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, said })));
}

test("reports all invalid settings at once and does not start", async () => {
  const { code, said } = await start({ FEATHER_PORT: "99999", FEATHER_BACKENDS: "{", FEATHER_ADMIN_EMAIL: "nobody" });
  expect(code).toBe(2);
  for (const name of ["FEATHER_PORT", "FEATHER_BACKENDS", "FEATHER_ADMIN_EMAIL"]) expect(said).toContain(name);
});

test("reports a data folder that is not writable, with the setting to change", async () => {
  const { code, said } = await start({ FEATHER_DATA_DIR: "/dev/null/feather", FEATHER_PORT: "0" });
  expect(code).toBe(1);
  expect(said).toContain("FEATHER_DATA_DIR");
});

test("reports a port in use, with the setting to change, and stops the database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "feather-port-"));
  chmodSync(folder, 0o711);
  const { code, said } = await start({ FEATHER_PORT: new URL(baseUrl).port, FEATHER_DATA_DIR: folder });
  expect(code).toBe(1);
  expect(said).toContain("FEATHER_PORT");
  expect(existsSync(join(folder, "postgres", "data", "postmaster.pid"))).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});

test("a body that is too large, invalid JSON or of the wrong type changes nothing", async () => {
  const { token, feather } = await createAccount(baseUrl);
  const post = (body: string, type = "application/json") =>
    fetch(`${baseUrl}/api/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body,
    });
  expect((await post("{")).status).toBe(400);
  expect((await post('{"name": 7}')).status).toBe(400);
  expect((await post('{"name": "x", "is_admin": true}')).status).toBe(400);
  expect((await post("name=x", "text/plain")).status).toBe(415);
  // The server may answer and hang up before all of it was sent, which some clients tell as a broken connection.
  const tooLarge = await post(JSON.stringify({ name: "x".repeat(17 * 1024 * 1024) })).catch((error: Error) => error);
  expect(tooLarge instanceof Response ? tooLarge.status : (tooLarge.cause as { code?: string }).code).toSatisfy(
    (end) => end === 413 || end === "EPIPE" || end === "ECONNRESET",
  );
  expect((await feather.apiKeys.list()).items).toEqual([]);
});

test.each(["..%2f..%2fetc%2fpasswd", "Qwen%252FQwen3-32B", "Qwen/../admin", "a%00b/c", "Qwen//Qwen3-32B", "%5c%5cx/y"])(
  "returns not found for the model id %s",
  async (id) => {
    for (const path of [`/v1/models/${id}`, `/api/feather/models/${id}`]) {
      const { status } = await fetch(baseUrl + path);
      expect([400, 404]).toContain(status);
    }
  },
);
