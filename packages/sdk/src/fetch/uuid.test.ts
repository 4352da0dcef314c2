import { afterEach, expect, test, vi } from "vitest";
import { createFeather } from "../client.ts";
import { createUuid } from "./uuid.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** What a browser has on a page without HTTPS: random bytes, and neither `randomUUID` nor `subtle`. */
const randomBytes = globalThis.crypto.getRandomValues.bind(globalThis.crypto);
const withoutHttps = (getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = randomBytes) => ({
  getRandomValues,
});

afterEach(() => vi.unstubAllGlobals());

test("a UUID is random, and of version 4", () => {
  const made = Array.from({ length: 100 }, createUuid);
  expect(new Set(made).size).toBe(100);
  for (const uuid of made) expect(uuid).toMatch(UUID);
});

test("a UUID is made from random bytes on pages without HTTPS", () => {
  vi.stubGlobal("crypto", withoutHttps());
  const made = Array.from({ length: 100 }, createUuid);
  expect(new Set(made).size).toBe(100);
  for (const uuid of made) expect(uuid).toMatch(UUID);
});

test.each([0x00, 0x5a, 0xff])("version and variant of a UUID stand over random bytes of %i", (byte) => {
  vi.stubGlobal(
    "crypto",
    withoutHttps((bytes) => bytes.fill(byte)),
  );
  expect(createUuid()).toMatch(UUID);
});

test("each digit of a UUID but the version takes all values, and the variant four", () => {
  const made = Array.from({ length: 2000 }, createUuid);
  const counts = Array.from({ length: 36 }, (_, place) => new Set(made.map((uuid) => uuid[place])).size);
  const expected = Array.from("xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx", (sign) => ({ x: 16, y: 4 })[sign] ?? 1);
  expect(counts).toEqual(expected);
});

test("a write is sent with an idempotency key on a page without HTTPS", async () => {
  vi.stubGlobal("crypto", withoutHttps());
  const keys: (string | null)[] = [];
  const feather = createFeather({
    baseUrl: "http://192.168.1.7:4000/api",
    token: "ses_x",
    fetch: async (request) => {
      keys.push(new Request(request).headers.get("idempotency-key"));
      return new Response("{}", { status: 201, headers: { "content-type": "application/json" } });
    },
  });
  await feather.apiKeys.create({ name: "CI" });
  expect(keys).toEqual([expect.stringMatching(UUID)]);
});
