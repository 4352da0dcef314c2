import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSecret, hashSecret } from "./platform/core/secrets/secrets.ts";
import {
  isAdminOnly,
  listProperties,
  OPERATIONS,
  rowsOf,
  type Schema,
  schemaOf,
  toPath,
  type WalkedOperation,
} from "./testing/contract-walk.ts";
import { type Account, createTestServer, type TestServer } from "./testing/server.ts";

/** Bodies that other services define: they may have unknown fields, which are passed on or ignored. */
const isForeign = ({ operationId, path }: WalkedOperation) =>
  path.startsWith("/v1/") ||
  /^deployments\..*(completions|embeddings|models)/.test(operationId) ||
  [
    "payments.stripeWebhook",
    "payments.webhook",
    "marketplace.awsLanding",
    "marketplace.awsNotification",
    "marketplace.azureNotification",
    "marketplace.gcpLanding",
    "marketplace.gcpNotification",
  ].includes(operationId);
const withBody = OPERATIONS.filter(({ body }) => body !== undefined);
const ours = withBody.filter((operation) => !isForeign(operation));

let server: TestServer;
let user: Account;
let admin: Account;
let built: Set<string>;

beforeAll(async () => {
  server = await createTestServer();
  built = new Set(Object.keys(server.platform.handlers));
  user = await server.signUpOnPlan({});
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

/** Returns a new session for each call, because some operations end the session of their caller. */
async function callerOf(operation: WalkedOperation): Promise<string> {
  const { userId } = isAdminOnly(operation) ? admin : user;
  const secret = createSecret("ses");
  const now = new Date();
  await server.db
    .insertInto("sessions")
    .values({
      id: server.platform.ids.next("ses"),
      secret_hash: hashSecret(secret),
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
    })
    .execute();
  return secret;
}

async function send(
  operation: WalkedOperation,
  body: string | undefined | null,
  form = "application/json",
): Promise<{ status: number; code?: string | undefined }> {
  const token = await callerOf(operation);
  const headers = { ...(body !== null && { "content-type": form }) };
  const { status, body: answer } = await server.call(toPath(operation), {
    method: operation.method,
    token,
    headers,
    ...(body !== undefined && body !== null && { body }),
  });
  return { status, code: errorCode(answer) };
}

/** The status is not an error of the server. Operations that are not implemented yet return 501. */
const isFine = (status: number, id: string) => status < 500 || (status === 501 && !built.has(id));

/** Returns values of the wrong type for a schema. */
function wrongFor(given: Schema): unknown[] {
  const schema = schemaOf(given);
  const parts = schema.oneOf ?? schema.anyOf;
  const types = parts
    ? parts.flatMap((part) => schemaOf(part).type ?? [])
    : [schema.type ?? (schema.enum?.[0] === undefined ? [] : typeof schema.enum[0])].flat();
  if (types.length === 0) return []; // anything goes
  const samples: Record<string, unknown> = {
    string: "text",
    number: 0.5,
    boolean: true,
    object: {},
    array: [],
    null: null,
  };
  const fits = (type: string) => types.includes(type) || (type === "number" && types.includes("integer"));
  return Object.entries(samples)
    .filter(([type]) => !fits(type))
    .map(([, value]) => value);
}

describe("a malformed body", () => {
  const bodies: [string, string | undefined | null][] = [
    ["none", undefined],
    ["none, without saying in which form", null],
    ["none, as an empty text", ""],
    ["half of one", '{"a":'],
    ["null", "null"],
    ["an array", "[]"],
    ["a text", '""'],
    ["a number", "1"],
    ["true", "true"],
    ["bytes that are no text", "\uFFFD\u0000"],
    ["an array of itself, deep", "[".repeat(2_000) + "]".repeat(2_000)],
    ["a prototype", '{"__proto__":{"is_admin":true}}'],
    ["a constructor", '{"constructor":{"prototype":{"is_admin":true}}}'],
  ];

  test.each(rowsOf(withBody))(
    "a malformed body is rejected with 4xx by %s, like a field of the wrong type",
    async (id, operation) => {
      const optional = operation.body?.required === false;
      for (const [name, body] of bodies) {
        if (optional && name.startsWith("none")) {
          expect(isFine((await send(operation, body)).status, id)).toBe(true);
          continue;
        }
        const { status, code } = await send(operation, body);
        expect([name, status >= 400 && status < 500, status, code]).toEqual([name, true, status, code]);
      }
      for (const [property, schema] of Object.entries(listProperties(operation.body?.schema ?? {})))
        for (const wrong of wrongFor(schema)) {
          const { status } = await send(operation, JSON.stringify({ ...operation.body?.example, [property]: wrong }));
          expect([property, wrong, Math.floor(status / 100)]).toEqual([property, wrong, 4]);
        }
    },
  );

  test("a malformed body does not crash the process", async () => {
    expect((await server.call("/api/health/ready")).status).toBe(200);
    expect(({} as { is_admin?: boolean }).is_admin).toBeUndefined();
  });
});

describe("a body with another or an unusual content type", () => {
  const forms = [
    ...[
      "Application/JSON",
      "application/json ; charset=utf-8",
      "application/json;charset=UTF-16",
      "application/json\t;a=b",
    ],
    ...[
      "application/json,text/plain",
      "application/json ",
      "text/plain",
      "text/json",
      "application/xml",
      "*/*",
      "json",
    ],
    ...["application/problem+json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"],
  ];
  test.each(rowsOf(ours))(
    "a body with another content type never bypasses the validation of %s",
    async (_id, operation) => {
      for (const form of forms) {
        const { status } = await send(operation, '{"is_admin":true,"unknown_field":1}', form);
        expect([form, Math.floor(status / 100)]).toEqual([form, 4]);
      }
    },
  );
});

describe("an operation without a body", () => {
  const takesNone = OPERATIONS.filter(
    ({ body, bodyTypes, method }) => body === undefined && bodyTypes.length === 0 && method !== "GET",
  );
  test.each(rowsOf(takesNone))("an operation without a body ignores or rejects one: %s", async (id, operation) => {
    for (const body of ["{", "null", "[]", '{"is_admin":true}']) {
      const { status } = await send(operation, body);
      expect([body, status, isFine(status, id)]).toEqual([body, status, true]);
    }
  });
});

describe("an empty body that is said to be JSON", () => {
  const changing = OPERATIONS.filter(({ method }) => method !== "GET");
  const isRequired = ({ body, bodyTypes }: WalkedOperation) => bodyTypes.length > 0 && body?.required !== false;

  test.each(rowsOf(changing.filter((operation) => !isRequired(operation))))(
    "an empty body that is declared as JSON is answered by %s like no body",
    async (_id, operation) => {
      const said = await send(operation, "");
      expect(["invalid_json", "unsupported_media_type"]).not.toContain(said.code);
      // The first call may have an effect that changes the second response, but not which requests are invalid.
      if (said.code === "invalid_request") expect(said).toEqual(await send(operation, null));
    },
  );

  test.each(
    rowsOf(changing.filter((operation) => isRequired(operation) && operation.bodyTypes.includes("application/json"))),
  )("an empty body that is declared as JSON is refused with 400 by %s, which needs a body", async (_id, operation) => {
    expect(await send(operation, "")).toMatchObject({ status: 400 });
  });
});

/** Fields that an attacker might add to a body to gain rights. */
const PRIVILEGED: Record<string, unknown> = {
  is_admin: true,
  user_id: "usr_7hTq2Kc9VbN4xRz1MwL8pD",
  organization_id: "org_7hTq2Kc9VbN4xRz1MwL8pD",
  organization: { id: "org_7hTq2Kc9VbN4xRz1MwL8pD" },
  role: "admin",
  plan_id: "feather_max",
  credits: "1000000000000",
  balance_nano_usd: "1000000000000",
  price_usd_cents: 0,
  price: 0,
  status: "active",
  state: "ready",
  created_at: "2020-01-01T00:00:00Z",
  created_by: "usr_7hTq2Kc9VbN4xRz1MwL8pD",
  email_verified: true,
  suspended_at: null,
  impersonated_by: null,
  scopes: ["admin"],
  quantity: 1_000,
  owner: "usr_7hTq2Kc9VbN4xRz1MwL8pD",
  id: "usr_7hTq2Kc9VbN4xRz1MwL8pD",
  __typename: "User",
};

describe("fields that callers must not set", () => {
  /** Returns all data of the users that such a field could change. */
  const state = () =>
    Promise.all([
      server.db
        .selectFrom("users")
        .select(["id", "is_admin", "email_verified_at", "suspended_at"])
        .orderBy("id")
        .execute(),
      server.db.selectFrom("memberships").selectAll().orderBy("user_id").orderBy("organization_id").execute(),
      server.db.selectFrom("subscriptions").selectAll().orderBy("id").execute(),
      server.db.selectFrom("organizations").selectAll().orderBy("id").execute(),
    ]);

  test.each(rowsOf(ours))("fields that callers must not set are rejected by %s", async (_id, operation) => {
    const own = listProperties(operation.body?.schema ?? {});
    for (const [field, value] of Object.entries(PRIVILEGED)) {
      if (field in own) continue;
      const { status, code } = await send(operation, JSON.stringify({ ...operation.body?.example, [field]: value }));
      expect([field, status, code]).toEqual([field, 400, "invalid_request"]);
    }
  });

  test.each(rowsOf(withBody.filter(isForeign)))(
    "fields that callers must not set have no effect in %s",
    async (_id, operation) => {
      const before = await state();
      await send(operation, JSON.stringify({ ...PRIVILEGED, ...operation.body?.example }));
      expect(await state()).toEqual(before);
    },
  );

  test.each(rowsOf(ours))(
    "fields that callers must not set are excluded by every object in the schema of %s",
    (_id, operation) => {
      const open: string[] = [];
      const visit = (given: Schema, path: string): void => {
        const schema = schemaOf(given);
        // A schema without properties is a map, whose field names the caller may choose.
        const isObject = Object.keys(schema.properties ?? {}).length > 0;
        if (isObject && schema.additionalProperties !== false && schema.unevaluatedProperties !== false)
          open.push(path);
        for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, `${path}.${name}`);
        if (schema.items) visit(schema.items, `${path}[]`);
        for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) visit(part, path);
      };
      visit(operation.body?.schema ?? {}, "body");
      expect(open).toEqual([]);
    },
  );
});
