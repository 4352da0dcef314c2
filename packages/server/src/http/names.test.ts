import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findHiddenCharacters } from "../platform/core/texts/public-names.ts";
import { OPERATIONS } from "../testing/contract-walk.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let user: Account;
beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_RATE_LIMITS: "off" } });
  user = await server.signUp();
});
afterAll(() => server.close());

const HIDDEN = ["\u001b[31m", "\r", "\n", "\t", "\u0000", "\u202e", "\u200b", "\u2028"];
const FIELDS: [string, string, string, (text: string) => object][] = [
  ["a person", "PUT", "/api/account", (name) => ({ name })],
  ["an API key", "POST", "/api/api-keys", (name) => ({ name })],
  ["an organization", "PUT", "/api/organization", (name) => ({ name })],
  [
    "an application",
    "POST",
    "/api/application",
    (name) => ({ name, redirect_uris: ["https://roost.example/x"], scopes: ["user.read"] }),
  ],
  [
    "a webhook",
    "POST",
    "/api/webhooks",
    (description) => ({ url: "https://hooks.example/x", event_types: ["budget.warning"], description }),
  ],
];

describe.each(FIELDS)("the name or description of %s", (_what, method, path, build) => {
  test.each(HIDDEN)("a name or description may not hold %j", async (character) => {
    const answer = await server.call(path, { method, token: user.token, body: build(`Be${character}a`) });
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "invalid_request"]);
    expect(answer.text).toContain("holds characters that cannot be seen");
  });

  test("a name or description may hold letters of any alphabet, and joined pictures", async () => {
    const body = build("Zoë 李 👩\u200d🚀 O'Neil");
    const answer = await server.call(path, { method, token: user.token, body });
    expect(answer.text).not.toContain("cannot be seen");
  });
});

test("every name in a request body has the rule of names", () => {
  const without = OPERATIONS.filter(({ body }) => {
    const name = body?.schema.properties?.name as { pattern?: string } | undefined;
    // A name with a restricted alphabet, such as that of a deployment, has its own pattern.
    return name !== undefined && (name.pattern === undefined || new RegExp(name.pattern, "u").test("a\u202eb"));
  });
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
  expect(findHiddenCharacters("a\u202eb")).not.toBeNull();
});
