import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSecret } from "../../platform/core/secrets/secrets.ts";
import {
  type CreatedDeployment,
  createPrivateCloudServer,
  DEMO_MODEL,
  DEPLOYMENTS,
  type JsonObject,
  type PrivateCloudServer,
} from "../../testing/private-cloud.ts";
import type { Account } from "../../testing/server.ts";

const LOGINS = "/api/feather/private-cloud/deployment-logins";
const MINUTE = 60;
let server: PrivateCloudServer;
let owner: Account;
let mine: CreatedDeployment;

beforeAll(async () => {
  server = await createPrivateCloudServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.signUpOwner();
  mine = await server.deploy(owner);
  await server.waitForState(owner, mine.id, "running");
});

const statusOf = async (token?: string, id = mine.id) => (await server.chat(id, token)).status;
const post = (path: string, token: string | undefined = owner.token, body?: JsonObject) =>
  server.call(`${DEPLOYMENTS}/${mine.id}${path}`, { method: "POST", token, ...(body && { body }) });
const redeem = (token: unknown) => server.call(LOGINS, { body: { token } });

describe("a private deployment", () => {
  test("a private deployment accepts its token and the members and keys of its organization", async () => {
    const key = await server.createKey(owner);
    const answers = await Promise.all(
      [mine.token, owner.token, key.secret].map((token) => server.chat(mine.id, token)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]?.body).toMatchObject({ model: DEMO_MODEL, choices: [{ message: { content: /^engine/ } }] });
  });

  test("a private deployment accepts its token as x-api-key and responds in OpenAI's form", async () => {
    const answer = await server.chat(mine.id, undefined, { headers: { "x-api-key": mine.token } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-concurrency-cost")).toBe(null);
    const list = await server.call(`/api/deployments/${mine.id}/v1/models`, { token: mine.token });
    expect(list.body).toMatchObject({
      object: "list",
      data: [{ id: DEMO_MODEL, object: "model", owned_by: "feather" }],
    });
    const refused = await server.call(`/api/deployments/${mine.id}/v1/models`);
    expect([refused.status, refused.body.error]).toMatchObject([401, { code: "deployments.unauthorized" }]);
  });

  test("a private deployment responds to everybody else as if it did not exist", async () => {
    const other = await server.signUpOwner();
    const theirs = await server.deploy(other);
    const missing = "dep_0000000000000000000000";
    const comparable = async (token?: string, id = mine.id) => {
      const { status, body } = await server.chat(id, token);
      const { request_id: _, ...error } = body.error as JsonObject;
      return [status, error];
    };
    for (const token of [undefined, theirs.token, createSecret("dpt"), other.token]) {
      expect(await comparable(token)).toEqual(await comparable(token, missing));
      expect(await statusOf(token)).toBe(token === other.token ? 404 : 401);
    }
    expect(await statusOf("dpt_made-up")).toBe(401);
    expect(await statusOf(createSecret("rc"))).toBe(401);
  });

  test("the token of a deployment is rejected by other deployments", async () => {
    const { token } = mine;
    const attempts = await Promise.all([
      server.call("/v1/chat/completions", {
        token,
        body: { model: DEMO_MODEL, messages: [{ role: "user", content: "x" }] },
      }),
      server.call("/api/auth/me", { token }),
      server.call(DEPLOYMENTS, { token }),
      server.call(`${DEPLOYMENTS}/${mine.id}`, { token }),
      server.call(`${DEPLOYMENTS}/${mine.id}`, { method: "DELETE", token }),
      server.call("/api/admin/deployments", { token }),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  test("a private deployment enforces the model list of keys and the role of members", async () => {
    const elsewhere = await server.createKey(owner, { allowed_models: ["Qwen/Qwen3-4B"] });
    const answer = await server.chat(mine.id, elsewhere.secret);
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "key_scope_denied"]);
    const reader = await server.createKey(owner, { scopes: ["user.read"] });
    expect(await statusOf(reader.secret)).toBe(403);
    await server.db.updateTable("memberships").set({ role: "viewer" }).where("user_id", "=", owner.userId).execute();
    expect(errorCode((await server.chat(mine.id, owner.token)).body)).toBe("organization_permission_denied");
  });

  test("a call to a deployment uses no units of the plan", async () => {
    const poor = await server.signUpOnPlan({ private_cloud: true, concurrency: 1, daily_request_limit: 1 });
    const theirs = await server.deploy(poor);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.chat(theirs.id, theirs.token, { wait: 5 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(server.api.gateway.units.totalInUse()).toBe(0);
  });

  test("a private deployment validates requests like the calls below /v1", async () => {
    const bad = await server.chat(mine.id, mine.token, { body: { messages: [] } });
    expect([bad.status, bad.body.error]).toMatchObject([400, { type: "invalid_request_error" }]);
    const strict = await server.chat(mine.id, mine.token, {
      body: { made_up: 1 },
      headers: { "x-strict-params": "1" },
    });
    expect([strict.status, errorCode(strict.body)]).toEqual([400, "unsupported_parameter"]);
    const lenient = await server.chat(mine.id, mine.token, { body: { made_up: 1 } });
    expect([lenient.status, lenient.headers.get("x-ignored-params")]).toEqual([200, "made_up"]);
    const picture = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }];
    const seen = await server.chat(mine.id, mine.token, { body: { messages: [{ role: "user", content: picture }] } });
    expect([seen.status, errorCode(seen.body)]).toEqual([400, "unsupported_modality"]);
    const hidden = [{ type: "text", text: "x", uuid: "u", image_url: { url: "http://169.254.169.254/" } }];
    const rebuilt = await server.chat(mine.id, mine.token, { body: { messages: [{ role: "user", content: hidden }] } });
    expect([rebuilt.status, rebuilt.headers.get("x-ignored-params")]).toEqual([
      200,
      "messages.uuid, messages.image_url",
    ]);
    const long = "x ".repeat(40_000);
    const full = await server.chat(mine.id, mine.token, { body: { messages: [{ role: "user", content: long }] } });
    expect([full.status, errorCode(full.body)]).toEqual([400, "context_length_exceeded"]);
  });

  test("a private deployment rejects calls while its model is disabled or locked", async () => {
    const set = async (fields: { is_gated?: boolean; disabled_at?: Date | null }) => {
      await server.db.updateTable("models").set(fields).where("id", "=", DEMO_MODEL).execute();
      server.api.catalogue.callableModels.invalidate();
    };
    const attempts = async () => {
      const made = await server.call(DEPLOYMENTS, { token: owner.token, body: server.body() });
      return [made, await server.chat(mine.id, mine.token)].map(({ status, body }) => [status, errorCode(body)]);
    };
    await set({ disabled_at: new Date() });
    expect(await attempts()).toEqual([
      [403, "model_disabled"],
      [403, "model_disabled"],
    ]);
    await set({ disabled_at: null, is_gated: true });
    expect(await attempts()).toEqual([
      [403, "model_gated_needs_oauth"],
      [403, "model_gated_needs_oauth"],
    ]);
    await set({ is_gated: false });
    expect(await statusOf(mine.token)).toBe(200);
  });

  test("a private deployment rejects calls while a marketplace has suspended the plan", async () => {
    const subscriptions = () =>
      server.db
        .updateTable("subscriptions")
        .where("organization_id", "=", owner.organizationId)
        .where("ended_at", "is", null);
    await subscriptions().set({ status: "paused" }).execute();
    const { invalidatePlan } = server.api.plans;
    invalidatePlan(owner.organizationId);
    const refused = await server.chat(mine.id, mine.token);
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "plan_suspended"]);
    await subscriptions().set({ status: "active" }).execute();
    invalidatePlan(owner.organizationId);
    expect(await statusOf(mine.token)).toBe(200);
  });

  test("calls of a private deployment store usage rows of the organization, without a user for calls with the token", async () => {
    const byToken = await server.chat(mine.id, mine.token);
    const byMember = await server.chat(mine.id, owner.token);
    const rows = await Promise.all(
      [byToken, byMember].map(({ headers }) => server.usageRow(headers.get("request-id"))),
    );
    expect(rows.map((row) => row?.user_id)).toEqual([null, owner.userId]);
    expect(rows[0]).toMatchObject({
      organization_id: owner.organizationId,
      backend: mine.id,
      model_id: DEMO_MODEL,
      units: 0,
      prompt_tokens: 3,
      completion_tokens: 2,
      outcome: "completed",
      cost_status: "not_applicable",
    });
  });
});

describe("a public deployment", () => {
  test("a public deployment accepts calls without a token and rejects a wrong one", async () => {
    const { id } = await server.deploy(owner, { visibility: "public" });
    await server.waitForState(owner, id, "running");
    const other = await server.signUp();
    expect(await statusOf(undefined, id)).toBe(200);
    expect(await statusOf(other.token, id)).toBe(200);
    expect(await statusOf(createSecret("dpt"), id)).toBe(401);
    expect(await statusOf(mine.token, id)).toBe(401);
    const row = await server.db.selectFrom("requests").select("user_id").where("backend", "=", id).executeTakeFirst();
    expect(row?.user_id ?? null).toBe(null);
  });

  test("a public deployment allows cross-origin calls", async () => {
    const answer = await server.send(`/api/deployments/${mine.id}/v1/chat/completions`, {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-headers": "authorization" },
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });
});

describe("the token of a deployment", () => {
  test("a replaced token is invalid at once", async () => {
    const { status, body } = await post("/token");
    expect(status).toBe(200);
    expect([await statusOf(mine.token), await statusOf(String(body.token))]).toEqual([401, 200]);
  });

  test("one token is valid after fifty concurrent replacements", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post("/token")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const open = await Promise.all(answers.map(({ body }) => statusOf(String(body.token))));
    expect(open.filter((status) => status === 200)).toHaveLength(1);
    expect(await statusOf(mine.token)).toBe(401);
  });
});

describe("a login link", () => {
  test("a login link returns a token for an hour", async () => {
    const { status, body } = await post("/login");
    expect(status).toBe(200);
    expect(body.url).toMatch(new RegExp(`/deployments/open\\?login=${body.token}$`));
    const used = await redeem(body.token);
    expect(used.status).toBe(200);
    expect(used.body).toMatchObject({ deployment_id: mine.id, name: mine.body.name, model_id: DEMO_MODEL });
    const token = String(used.body.token);
    expect(await statusOf(token)).toBe(200);
    server.advanceSeconds(61 * MINUTE);
    expect([await statusOf(token), await statusOf(mine.token)]).toEqual([401, 200]);
  });

  test("a login link works once in concurrent requests", async () => {
    const { body } = await post("/login");
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(body.token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map((answer) => `${answer.status} ${errorCode(answer.body)}`))).toEqual(
      new Set(["401 deployments.login_ended"]),
    );
    const tokens = await server.db
      .selectFrom("deployment_tokens")
      .select("purpose")
      .where("deployment_id", "=", mine.id)
      .where("purpose", "=", "console")
      .execute();
    expect(tokens).toHaveLength(1);
  });

  test("a login link expires after fifteen minutes and with its deployment", async () => {
    const late = (await post("/login")).body.token;
    server.advanceSeconds(15 * MINUTE);
    expect((await redeem(late)).status).toBe(401);
    const link = (await post("/login")).body.token;
    const opened = String((await redeem((await post("/login")).body.token)).body.token);
    await server.call(`${DEPLOYMENTS}/${mine.id}`, { method: "DELETE", token: owner.token });
    expect((await redeem(link)).status).toBe(401);
    expect(await statusOf(opened)).toBe(401);
  });

  test.each([
    ["a made-up link", () => createSecret("one")],
    ["the deployment's token", () => mine.token],
    ["a session", () => owner.token],
    ["a word", () => "word"],
  ])("rejects %s as a login link", async (_what, token) => {
    expect((await redeem(token())).status).toBe(401);
  });

  test.each([[""], [7], [null], ["x".repeat(300)]])("rejects %j as a malformed login token", async (token) => {
    expect((await redeem(token)).status).toBe(400);
  });

  test("a login token gives no access by itself and is not stored in plain text", async () => {
    const token = String((await post("/login")).body.token);
    expect(await statusOf(token)).toBe(401);
    const rows = await server.db.selectFrom("deployment_tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("the audit log records who created a login link and its use", async () => {
    await redeem((await post("/login")).body.token);
    const acts = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("target", "=", mine.id)
      .orderBy("sequence")
      .execute();
    expect(acts.map(({ action, actor_user_id }) => [action, actor_user_id])).toEqual([
      ["deployments.create", owner.userId],
      ["deployments.login", owner.userId],
      ["deployments.redeem_login", null],
    ]);
  });
});
