import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const KEY = {
  provider: "openrouter",
  name: "OpenRouter",
  label: "Team account",
  last_characters: "x9Yz",
  is_allowed: true,
  created_by_name: "Maria Winter",
  created_at: "2026-11-19T14:01:02.000Z",
  refusal: null,
  refused_at: null,
};
const REFUSED = {
  ...{ ...KEY, provider: "groq", name: "Groq", label: null },
  ...{ refusal: "It does not accept the key (status 401).", refused_at: "2026-11-20T14:01:02.000Z" },
};
const UNUSED = { ...KEY, provider: "together", name: "Together AI", is_allowed: false };
const PROVIDER = {
  ...{ id: "openrouter", name: "OpenRouter", is_required: false },
  ...{ key_url: "https://openrouter.ai/settings/keys", key_prefix: "sk-or-" },
};
const TEST = {
  ok: true,
  problem: null,
  error: null,
  advice: null,
  call: { model: "a/b", duration_ms: 420 },
  duration_ms: 432,
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /organization/provider-keys": () => ({
    body: { items: [REFUSED, KEY, UNUSED], providers: [PROVIDER], fee_percent: 5 },
  }),
  "PUT /organization/provider-keys/openrouter": () => ({ body: KEY }),
  "DELETE /organization/provider-keys/openrouter": () => ({ status: 204 }),
  "DELETE /organization/provider-keys/nobody": () =>
    errorResponse(404, "provider_keys.not_found", "The organization has no key for this provider."),
  "POST /organization/provider-keys/openrouter/test": () => ({ body: TEST }),
  "POST /organization/provider-keys/groq/test": () => ({
    body: { ...TEST, ok: false, problem: "key", error: REFUSED.refusal, advice: "Make a new key there.", call: null },
  }),
});
const sent = () => requests().find(({ method }) => method === "PUT")?.body;

test("lists provider keys with what is wrong with them, and the providers for which keys can be set", async () => {
  const { out, err } = await runInteractive("provider-keys list", { columns: 160 });
  expect(out).toMatch(/openrouter +Team account +…x9Yz +used/);
  expect(out).toMatch(/groq +…x9Yz +It does not accept the key \(status 401\)\./);
  expect(out).toMatch(/together .* not used by this server/);
  expect(err).toContain("Keys can be set for openrouter.");
  expect((await run("provider-keys list -q")).out).toBe("groq\nopenrouter\ntogether\n");
});

test("sets a provider key from stdin, which is no argument", async () => {
  const answer = await run("provider-keys set OpenRouter --label team --key -", { stdin: "sk-or-secret\n" });
  expect(answer).toEqual({
    code: 0,
    out: "openrouter\n",
    err: expect.stringContaining("Set the key for OpenRouter.\n"),
  });
  expect(sent()).toEqual({ label: "team", key: "sk-or-secret" });
});

test.each([
  ["provider-keys set openrouter", "there is nobody to ask here: use --key -"],
  ["provider-keys set groq --key -", "this server does not use keys of organizations for groq"],
  ["provider-keys set openrouter --key sk-or-secret", "'sk-or-secret' is invalid"],
])("%s sets nothing, and says what is missing", async (line, message) => {
  const { code, err } = await run(line, { stdin: "secret" });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(sent()).toBeUndefined();
});

test("provider-keys test says whether the provider answers, and exits with 5 if it does not", async () => {
  expect((await run("provider-keys test openrouter")).out).toContain("yes");
  const { code, out, err } = await run("provider-keys test groq");
  expect([code, out, err]).toEqual([
    5,
    expect.stringContaining("It does not accept the key (status 401)."),
    expect.stringContaining("Make a new key there."),
  ]);
});

test("provider-keys remove asks, and removes the key", async () => {
  expect((await run("provider-keys remove openrouter")).code).toBe(2);
  expect(requests()).toEqual([]);
  const removed = await run("provider-keys remove openrouter --yes");
  expect(removed).toMatchObject({ code: 0, err: "Removed the key for openrouter.\n" });
  expect((await run("provider-keys remove nobody --yes")).code).toBe(3);
});

test("provider-keys needs a sign-in", async () => {
  expect((await runAnonymous("provider-keys list")).code).toBe(4);
});
