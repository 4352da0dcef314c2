import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFeather, type Feather } from "@feather/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN } from "../support/platform.ts";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

/** Ends a test that hangs. */
const HANG_LIMIT_MS = 600_000;
const GRANTED = 10_000_000_000n;
const PRICE = 1_000_000n; // nano-USD for a request, the only thing that costs here
/** Calls that end before the backup begins, and while it is made. */
const ENOUGH = 20;

let environment: ReliabilityEnvironment;
let elsewhere: string;
beforeAll(async () => {
  environment = await createEnvironment();
  elsewhere = mkdtempSync(join(tmpdir(), "feather-restored-"));
  chmodSync(elsewhere, 0o711); // root's databases run as another user
  const { id } = await environment.client().auth.me();
  await environment.client().admin.users.update(id, { plan_id: "feather_request_pricing" });
  await environment.client().admin.users.grantCredits(id, { amount_nano_usd: String(GRANTED), reason: "Test" });
  await environment.client().admin.prices.create(MODEL, { prompt: "0", completion: "0", request: "0.001" });
});
afterAll(async () => {
  await environment?.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** Runs a command for operators. Returns its output; rejects when it fails. */
async function run(command: string, dataDir: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, FEATHER_DATA_DIR: dataDir };
  const path = `packages/server/src/commands/${command}.ts`;
  return (await promisify(execFile)(process.execPath, [path, ...args], { env })).stdout;
}

async function callUntil(isDone: () => boolean, feather: Feather, ended: string[]): Promise<void> {
  while (!isDone()) {
    const messages = [{ role: "user" as const, content: "Well?" }];
    const { response } = await feather.chat.completions.create({ model: MODEL, messages }).withResponse();
    ended.push(response.headers.get("request-id") ?? "");
  }
}

test(
  "a backup made under load is restored elsewhere: people sign in, keys work, and the balance is what was charged",
  async () => {
    const { secret } = await environment.client().apiKeys.create({ name: "laptop" });
    const withKey = () => createFeather({ baseUrl: environment.baseUrl(), apiKey: secret, maxRetries: 0 });
    const ended: string[] = [];
    let isSaved = false;
    const load = Array.from({ length: 4 }, () =>
      callUntil(() => isSaved && ended.length > 2 * ENOUGH, withKey(), ended),
    );
    await expect.poll(() => ended.length).toBeGreaterThan(ENOUGH);
    const before = ended.slice(0, ENOUGH);
    await expect.poll(() => countReceipts(before), { interval: 100 }).toBe(ENOUGH);
    const file = join(elsewhere, "backup");
    expect(await run("backup", environment.folder, file)).toContain("and read them back");
    isSaved = true;
    await Promise.all(load);
    expect(await environment.stop(["SIGTERM"])).toBe(0);

    const restored = join(elsewhere, "data");
    expect(await run("restore", restored, file)).toContain("with the checksums that the backup names");
    expect(await run("verify-ledger", restored)).toBe("The ledger adds up.\n");
    expect(await run("verify-audit", restored)).toContain("The audit log is whole");
    await environment.start(restored);
    const login = createFeather({ baseUrl: environment.baseUrl() }).auth.login(ADMIN, TOKEN_TRANSPORT);
    expect((await login.withResponse()).response.headers.get("x-session-token")).toBeTruthy();
    expect(await countReceipts(before)).toBe(ENOUGH);
    const { balance_nano_usd, transactions } = await environment.client().usage.credits();
    const charged = transactions.pagination.total_items - 1; // all but the grant
    expect(charged).toBeGreaterThanOrEqual(ENOUGH);
    expect(BigInt(balance_nano_usd)).toBe(GRANTED - PRICE * BigInt(charged));
    const calls = ended.length + 3;
    await callUntil(() => ended.length >= calls, withKey(), ended);
    const now = async () => BigInt((await environment.client().usage.credits()).balance_nano_usd);
    await expect.poll(now, { interval: 100 }).toBe(BigInt(balance_nano_usd) - 3n * PRICE);
  },
  HANG_LIMIT_MS,
);

async function countReceipts(ids: readonly string[]): Promise<number> {
  const found = await Promise.all(
    ids.map((id) =>
      environment
        .client()
        .usage.requests.get(id)
        .catch(() => null),
    ),
  );
  return found.filter((receipt) => receipt?.cost_nano_usd === `${PRICE}`).length;
}
