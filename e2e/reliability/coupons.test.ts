import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather, type Feather } from "@feather/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";

const CODES = 15;
const BUYERS = 25;
const CARD = "4242424242424242";

type Buyer = { token: string; feather: Feather };

let folder: string;
let platform: Platform;
let admin: Feather;
const buyers: Buyer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-coupons-"));
  platform = await startPlatform(folder, { FEATHER_LOG_LEVEL: "silent", FEATHER_PRELOAD: "off" });
  const { baseUrl } = platform;
  const login = createFeather({ baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT);
  const token = (await login.withResponse()).response.headers.get("x-session-token") ?? "";
  admin = createFeather({ baseUrl, token });
  for (let index = 0; index < BUYERS; index++) buyers.push(await subscriber(baseUrl));
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function subscriber(baseUrl: string): Promise<Buyer> {
  const account = await createAccount(baseUrl);
  const { id } = await account.feather.paymentMethods.setupIntents.create();
  await account.feather.paymentMethods.setupIntents.confirm(id, { test_card: CARD });
  await account.feather.subscription.change({ plan_id: "feather_basic" });
  return account;
}

/** A request that is sent but for its last byte, and how it ends once that follows. */
async function heldBack(path: string, token: string): Promise<{ release(): void; status: Promise<number> }> {
  const { hostname, port } = new URL(platform.baseUrl);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const head = [`POST ${path} HTTP/1.1`, `host: ${hostname}:${port}`, `authorization: Bearer ${token}`];
  const request = [...head, "content-length: 0", "connection: close", "", ""].join("\r\n");
  socket.write(request.slice(0, -1));
  const status = new Promise<number>((resolve, reject) => {
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.once("close", () => resolve(Number(answer.slice(9, 12))));
    socket.once("error", reject);
  });
  return { release: () => void socket.write(request.slice(-1)), status };
}

test(`${CODES} single-use coupons, each redeemed by ${BUYERS} customers at the same time, are redeemed once`, async () => {
  for (let round = 0; round < CODES; round++) {
    const code = `ONCE${round}`;
    await admin.admin.coupons.create({ code, duration: "once", percent_off: 10, max_redemptions: 1 });
    const path = `/api/subscription/coupons/${code}`;
    const requests = await Promise.all(buyers.map(({ token }) => heldBack(path, token)));
    for (const { release } of requests) release();
    const statuses = await Promise.all(requests.map(({ status }) => status));
    expect([code, statuses.filter((status) => status === 200).length]).toEqual([code, 1]);
    expect([code, statuses.filter((status) => status === 409).length]).toEqual([code, BUYERS - 1]);
    await buyers[statuses.indexOf(200)]?.feather.subscription.coupons.remove();
  }
  const { items } = await admin.admin.coupons.list();
  const used = items.filter(({ code }) => code.startsWith("ONCE")).map(({ redemptions }) => redemptions);
  expect(used).toEqual(Array.from({ length: CODES }, () => 1));
}, 1_200_000);
