import { startFakeVertex, toServiceAccountKey } from "@feather/testing/fake-vertex";
import { fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAccessTokens } from "./access-tokens.ts";
import { findServiceAccountProblem } from "./service-account.ts";

const KEY = toServiceAccountKey();
let vertex: Awaited<ReturnType<typeof startFakeVertex>>;
beforeAll(async () => {
  vertex = await startFakeVertex();
});
beforeEach(() => {
  vertex.answer({});
  vertex.tokens.splice(0);
});
afterAll(() => vertex.close());

const createTokens = () => createAccessTokens((_url, init) => undiciFetch(vertex.tokenUrl, init));

test("a token is fetched once for calls at the same time, and kept", async () => {
  const { promise: tokenUntil, resolve } = Promise.withResolvers<void>();
  vertex.answer({ tokenUntil });
  const tokens = createTokens();
  const waiting = Promise.all([tokens.get(KEY), tokens.get(KEY), tokens.get(KEY)]);
  resolve();
  expect(new Set(await waiting).size).toBe(1);
  await tokens.get(KEY);
  expect(vertex.tokens).toHaveLength(1);
});

test("a token that expires in less than five minutes is replaced", async () => {
  vertex.answer({ expiresInS: 299 });
  const tokens = createTokens();
  expect(await tokens.get(KEY)).not.toBe(await tokens.get(KEY));
  vertex.answer({ expiresInS: 600 });
  expect(await tokens.get(KEY)).toBe(await tokens.get(KEY));
});

test("a failure is not kept", async () => {
  vertex.answer({ tokenFault: { status: 400, error: "invalid_grant", description: "Invalid JWT Signature." } });
  const tokens = createTokens();
  await expect(tokens.get(KEY)).rejects.toMatchObject({
    code: "google.key",
    message: "Google gave no access token: invalid_grant: Invalid JWT Signature.",
  });
  vertex.answer({});
  expect(await tokens.get(KEY)).toMatch(/^ya29\./);
});

test("keys have tokens of their own, and the key of an unknown account has none", async () => {
  const tokens = createTokens();
  const [first, second] = [await tokens.get(KEY), await tokens.get(toServiceAccountKey({ private_key_id: "2" }))];
  expect(first).not.toBe(second);
  const unknown = toServiceAccountKey({ client_email: "nobody@example.com" });
  await expect(tokens.get(unknown)).rejects.toMatchObject({ code: "google.account" });
});

test("a connection that fails has an error without the key", async () => {
  const tokens = createAccessTokens(() =>
    Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })),
  );
  const error: unknown = await tokens.get(KEY).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "google.unavailable", message: expect.stringContaining("ECONNREFUSED") });
  expect(JSON.stringify(error)).not.toContain("PRIVATE KEY");
});

test.each([
  ["a text", "AIza-test", "must be the JSON"],
  ["JSON of another kind", '"a"', "must be the JSON"],
  ["a user's credentials", toServiceAccountKey({ type: "authorized_user" }), "its type must be service_account"],
  ["no e-mail address", toServiceAccountKey({ client_email: undefined }), "has no client_email"],
  ["a broken private key", toServiceAccountKey({ private_key: "-----BEGIN" }), "private_key"],
  ["another server's address", toServiceAccountKey({ token_uri: "https://evil.example/token" }), "must be Google's"],
])("a key with %s is refused with the reason", (_what, text, words) => {
  expect(findServiceAccountProblem(text)).toContain(words);
  expect(findServiceAccountProblem(KEY)).toBeNull();
});
