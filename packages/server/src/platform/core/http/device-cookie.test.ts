import { createTestClock } from "@feather/testing/clock";
import type { FastifyReply, FastifyRequest } from "fastify";
import { beforeEach, expect, test, vi } from "vitest";
import { createSigner, SIGNING_PURPOSES } from "../secrets/sealing.ts";
import { DAY_MS } from "../time.ts";
import { createDeviceCookie, DEVICE_COOKIE, type DeviceOwner } from "./device-cookie.ts";

const OWNER: DeviceOwner = { id: "usr_1", password_changed_at: null };
const clock = createTestClock();

type Attributes = { path: string; httpOnly: boolean; sameSite: string; secure: boolean; maxAge: number };
let cookies: Record<string, string>;
let attributes: Attributes | undefined;
beforeEach(() => {
  cookies = {};
  attributes = undefined;
  clock.at = Date.parse("2026-03-01T12:00:00Z");
});

const reply = {
  setCookie(name: string, value: string, options: Attributes) {
    cookies[name] = value;
    attributes = options;
  },
  clearCookie(name: string) {
    delete cookies[name];
  },
} as unknown as FastifyReply;

const createCookie = ({ secret = 1, secure = true } = {}) =>
  createDeviceCookie({
    signer: createSigner(new Uint8Array(32).fill(secret), SIGNING_PURPOSES.deviceCookies),
    clock,
    secure,
  });
const cookie = createCookie();
const read = (owner: DeviceOwner | undefined = OWNER, by = cookie) =>
  by.read({ cookies } as unknown as FastifyRequest, async () => owner);

test("a browser with an earlier sign-in is recognized for that account", async () => {
  cookie.grant(reply, OWNER);
  expect(await read()).toMatch(/^[\w-]{22}$/);
});

test("each sign-in gives another nonce, so that browsers are counted separately", async () => {
  cookie.grant(reply, OWNER);
  const first = await read();
  cookie.grant(reply, OWNER);
  expect(await read()).not.toBe(first);
});

test("scripts cannot read the cookie, and it is sent to the sign-in only", () => {
  cookie.grant(reply, OWNER);
  expect(attributes).toEqual({ path: "/api/auth", httpOnly: true, sameSite: "lax", secure: true, maxAge: 31_536_000 });
  createCookie({ secure: false }).grant(reply, OWNER);
  expect(attributes).toMatchObject({ secure: false });
});

test("the cookie does not reveal the account", () => {
  cookie.grant(reply, OWNER);
  expect(Buffer.from(cookies[DEVICE_COOKIE] ?? "", "base64url").includes("usr_1")).toBe(false);
});

test("a cookie is worthless for another account, and for none", async () => {
  cookie.grant(reply, OWNER);
  expect(await read({ ...OWNER, id: "usr_2" })).toBeNull();
  expect(await cookie.read({ cookies } as unknown as FastifyRequest, async () => undefined)).toBeNull();
});

test("a change of the password ends the cookies from before it", async () => {
  cookie.grant(reply, OWNER);
  const changed = { ...OWNER, password_changed_at: clock.now() };
  expect(await read(changed)).toBeNull();
  cookie.grant(reply, changed);
  expect(await read(changed)).not.toBeNull();
});

test("a cookie is valid for a year", async () => {
  cookie.grant(reply, OWNER);
  clock.at += 365 * DAY_MS;
  expect(await read()).not.toBeNull();
  clock.at += 1;
  expect(await read()).toBeNull();
});

test("a cookie of another installation is refused", async () => {
  cookie.grant(reply, OWNER);
  expect(await read(OWNER, createCookie({ secret: 2 }))).toBeNull();
});

test("a cookie of which one character was changed is refused", async () => {
  cookie.grant(reply, OWNER);
  const value = cookies[DEVICE_COOKIE] ?? "";
  for (let at = 0; at < value.length; at += 7) {
    cookies[DEVICE_COOKIE] = value.slice(0, at) + (value[at] === "A" ? "B" : "A") + value.slice(at + 1);
    expect(await read()).toBeNull();
  }
});

test.each(["", "x", "A".repeat(71), "A".repeat(73), "*".repeat(72)])(
  "for a cookie that cannot be one, no account is looked up: %s",
  async (value) => {
    cookies[DEVICE_COOKIE] = value;
    const findOwner = vi.fn(async () => OWNER);
    expect(await cookie.read({ cookies } as unknown as FastifyRequest, findOwner)).toBeNull();
    expect(findOwner).not.toHaveBeenCalled();
  },
);

test("a browser without a cookie, or whose cookie was cleared, is not recognized", async () => {
  expect(await read()).toBeNull();
  cookie.grant(reply, OWNER);
  cookie.clear(reply);
  expect(await read()).toBeNull();
});
