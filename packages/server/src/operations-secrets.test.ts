import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSecret } from "./platform/core/secrets/secrets.ts";
import { isAdminOnly, listProperties, OPERATIONS, toPath, type WalkedOperation } from "./testing/contract-walk.ts";
import { takeKeysOfOrganizations } from "./testing/provider.ts";
import { type Account, createTestServer, type RequestOptions, type TestServer } from "./testing/server.ts";

const random = () => randomBytes(12).toString("hex");
/** Secrets that people type, paste or send, and that may not appear anywhere else. */
const CANARIES: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...["password at registration", "password at login", "wrong password", "new password", "password to delete with"],
      ...["password of an admin", "reset token", "verification token", "setup token", "invitation token", "TOTP code"],
      ...["recovery code", "second factor challenge", "chat prompt", "system prompt", "completion prompt"],
      ...["tool result", "embedding input", "tokenized text", "streamed prompt", "prompt of a failing call"],
      ...["responses input", "messages prompt", "backend key", "provider key", "hub token", "model access token"],
      ...[
        "OAuth code",
        "PKCE verifier",
        "client secret",
        "refresh token",
        "device code",
        "marketplace token",
        "setup intent",
      ],
      "idempotency key",
    ].map((name) => [name, `cnry-${random()}`]),
  ),
  "API key": createSecret("rc"),
  "session of a cookie": createSecret("ses"),
  "access token": createSecret("oat"),
  "one-time link": createSecret("one"),
  "key of another service": `sk-${random()}`,
  "token of the hub": `hf_${random()}`,
  "card number": "4242424242424242",
  "private key": `-----BEGIN PRIVATE KEY-----${random()}`,
};
const canary = (name: string): string => CANARIES[name] ?? "";

/** Fields that contain such secrets, and the values for them. */
const FIELDS: [RegExp, string[]][] = [
  [/password/, ["wrong password", "card number"]],
  [/^(access_token|hf_token|hub_token)$/, ["hub token", "token of the hub", "model access token"]],
  [/api_key|^key$/, ["backend key", "key of another service"]],
  [
    /^token$|-token$|refresh_token|challenge/,
    ["reset token", "one-time link", "marketplace token", "API key", "access token"],
  ],
  [/^code$|recovery_code/, ["TOTP code", "recovery code", "OAuth code"]],
  [/code_verifier/, ["PKCE verifier"]],
  [/secret/, ["client secret", "private key"]],
  [/device_code|user_code/, ["device code"]],
  [/setup_intent/, ["setup intent"]],
  [/^(prompt|input|text|system|instructions)$/, ["completion prompt", "embedding input", "responses input"]],
];
/** Operations whose codes are public names, such as coupons, or whose texts are published. */
const NAMES = ["admin.coupons.create", "admin.coupons.update", "admin.content.put"];

const lines: string[] = [];
/** Responses with errors, and the secrets that were issued. */
const refusals: { path: string; text: string }[] = [];
const handedOut = new Set<string>();
let server: TestServer;
let user: Account;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({
    // Logs everything that can be logged.
    env: { FEATHER_LOG_REQUESTS: "on", FEATHER_SLOW_REQUEST: "0.000001", FEATHER_SLOW_QUERY: "0.000001" },
    log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
  });
  await server.addUpstream({}, ["feather/demo"]);
  const echo = { error: { message: `cannot answer ${canary("prompt of a failing call")}` } };
  await server.addUpstream({ fault: { kind: "refuse", status: 500, body: echo } }, ["Qwen/Qwen3-4B"]);
  takeKeysOfOrganizations(server);
  user = await server.signUpOnPlan({});
  admin = await server.signInAdmin();
  await liveThrough();
  // Live streams do not end, and accept the same credentials as their snapshots.
  for (const operation of OPERATIONS) if (!operation.path.endsWith("/stream")) await walk(operation);
  // The walk has deleted the one that it set, and ended the session of the user.
  const providerKey = { method: "PUT", token: admin.token, body: { key: canary("provider key") } };
  await call("/api/organization/provider-keys/openrouter", providerKey);
  await server.api.gateway.usageWriter.flush();
}, 120_000);
afterAll(() => server.close());

async function call(path: string, options: RequestOptions = {}) {
  const answer = await server.call(path, options);
  if (answer.status >= 400) refusals.push({ path, text: answer.text });
  else
    for (const [secret] of `${answer.text} ${answer.headers.get("x-session-token")}`.matchAll(
      /\b(?:(?:rc|ses|oat|ort|oac|odc|dpt|secret)_[0-9A-Za-z]{30,}|whsec_[0-9A-Za-z+/]{43}=)/g,
    ))
      handedOut.add(secret);
  return answer;
}

/** Uses the secrets in the intended ways, so that they get as far into the server as possible. */
async function liveThrough(): Promise<void> {
  const email = "canary@example.com";
  const password = canary("password at registration");
  const registered = await call("/api/auth/register", { body: { email, password } });
  await call("/api/auth/login", { body: { email, password } });
  await call("/api/auth/login", { body: { email, password: canary("password at login") } });
  const token = registered.headers.get("x-session-token") ?? "";
  const change = { current_password: password, new_password: canary("new password") };
  await call("/api/auth/password", { token, body: change });
  await call("/api/auth/totp", { token, body: { password: canary("new password") } });
  await call("/api/account", { method: "DELETE", token, body: { password: canary("password to delete with") } });
  await call("/api/auth/forgot-password", { body: { email } });
  await call(`/api/admin/users/${user.userId}/impersonate`, {
    token: admin.token,
    body: { reason: "Canaries", password: canary("password of an admin") },
  });
  await call("/api/api-keys", {
    token: user.token,
    headers: { "idempotency-key": canary("idempotency key") },
    body: { name: "kept" },
  });
  for (const [name, more] of [
    ["chat prompt", {}],
    ["streamed prompt", { stream: true }],
    ["prompt of a failing call", { model: "Qwen/Qwen3-4B" }],
    ["prompt of a failing call", { model: "nobody/nothing" }],
  ] as const)
    await call("/v1/chat/completions", {
      token: user.token,
      body: {
        model: "feather/demo",
        messages: [
          { role: "system", content: canary("system prompt") },
          { role: "user", content: canary(name) },
        ],
        ...more,
      },
    });
}

/** Calls an operation with such secrets in each field, header, cookie, query parameter and path parameter. */
async function walk(operation: WalkedOperation): Promise<void> {
  const { token } = isAdminOnly(operation) ? admin : user;
  const { method, body } = operation;
  const ends = /^(auth\.logout|auth\.sessions|account\.delete|admin\.stopImpersonation)/.test(operation.operationId);
  const caller = ends ? (await server.signUp()).token : token;
  const send = (options: RequestOptions, values: Record<string, string> = {}, query = "") =>
    call(toPath(operation, values) + query, { method, ...(body && { body: body.example }), ...options });

  for (const [field, names] of fieldsOf(operation))
    for (const name of names) await send({ token: caller, body: { ...body?.example, [field]: canary(name) } });
  if (body && operation.path.startsWith("/v1/")) {
    const messages = [
      { role: "user", content: canary("messages prompt") },
      { role: "tool", tool_call_id: "call_1", content: canary("tool result") },
    ];
    await send({ token: caller, body: { ...body.example, messages, stream: false } });
  }
  for (const parameter of operation.pathParameters)
    if (/token|secret|code/.test(parameter.name))
      for (const name of ["invitation token", "one-time link"])
        await send({ token: caller }, { [parameter.name]: canary(name) });
  await send({ token: canary("API key") });
  await send({ token: canary("access token") });
  await send({ headers: { "x-api-key": canary("key of another service") } });
  await send({ headers: { cookie: `session=${canary("session of a cookie")}`, "sec-fetch-site": "same-origin" } });
  if (method !== "GET") await send({ token: caller, body: `{"password":"${canary("password at login")}",` });
  if (method === "GET")
    await send({ token: caller }, {}, `?token=${canary("reset token")}&api_key=${canary("API key")}`);
}

function fieldsOf(operation: WalkedOperation): [string, string[]][] {
  if (NAMES.includes(operation.operationId)) return [];
  return Object.keys(listProperties(operation.body?.schema ?? {})).flatMap((field) => {
    const names = FIELDS.find(([pattern]) => pattern.test(field))?.[1];
    return names ? [[field, names] as [string, string[]]] : [];
  });
}

const hits = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString("hex")));

/** Returns the whole database as text; bytes are hexadecimal. */
async function dump(): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(server.db);
  const tables = new Map<string, string>();
  for (const { name } of rows) {
    const { rows: all } = await sql<{ text: string }>`select kept::text as text from ${sql.table(name)} kept`.execute(
      server.db,
    );
    tables.set(name, all.map(({ text }) => text).join("\n"));
  }
  return tables;
}

const names = (secrets: readonly string[]) =>
  secrets.map((secret) => Object.entries(CANARIES).find(([, value]) => value === secret)?.[0] ?? secret.slice(0, 7));

test("the walk sends as many secrets as declared, and some are accepted", () => {
  expect(Object.keys(CANARIES).length).toBeGreaterThanOrEqual(40);
  expect(handedOut.size).toBeGreaterThan(5);
  expect(refusals.length).toBeGreaterThan(OPERATIONS.length);
});

test("the server writes no secret to the log", () => {
  const text = lines.join("");
  expect(text).not.toBe("");
  expect(names(hits(text, [...Object.values(CANARIES), ...handedOut]))).toEqual([]);
});

test("metrics contain no secret", async () => {
  const text = await server.api.operations.renderMetrics();
  expect(text).toContain('feather_http_requests_total{route="auth.login"');
  expect(names(hits(text, [...Object.values(CANARIES), ...handedOut]))).toEqual([]);
});

test("the searched log contains requests and queries", () => {
  const messages = new Set(lines.map((line) => (JSON.parse(line) as { msg: string }).msg));
  expect([...messages]).toEqual(expect.arrayContaining(["a slow request", "a slow database query"]));
});

test("errors contain no secret", () => {
  const leaks = refusals.filter(({ text }) => hits(text, [...Object.values(CANARIES), ...handedOut]).length > 0);
  expect(leaks).toEqual([]);
});

test("keys of organizations for providers are among the accepted secrets", async () => {
  const keys = await server.db.selectFrom("provider_keys").select("provider").execute();
  expect(keys).toEqual([{ provider: "openrouter" }]);
});

test("the database stores no secret in plain text", async () => {
  const found: Record<string, string[]> = {};
  for (const [table, text] of await dump()) {
    const kept = names(hits(text, [...Object.values(CANARIES), ...handedOut]));
    if (kept.length > 0) found[table] = kept;
  }
  expect(found).toEqual({});
});
