import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOAuthClient } from "../../testing/oauth.ts";
import {
  type CreatedDeployment,
  createPrivateCloudServer,
  DEPLOYMENTS,
  type PrivateCloudServer,
} from "../../testing/private-cloud.ts";
import type { Account } from "../../testing/server.ts";

let server: PrivateCloudServer;
let owner: Account;
const WRITER = ["api.access", "deployments.write"];

beforeAll(async () => {
  server = await createPrivateCloudServer();
  owner = await server.signUpOwner();
});
afterAll(() => server.close());

/** Returns whether a token gives access to the deployment. Its list of models is used, because that needs no replica. */
const opens = async ({ id, token }: Pick<CreatedDeployment, "id" | "token">) => {
  const { status } = await server.call(`/api/deployments/${id}/v1/models`, { token });
  expect([200, 401]).toContain(status);
  return status === 200;
};
const keyOf = async (fields: object) => (await server.createKey(owner, fields)).secret;

describe("a key with the default scope", () => {
  test("a key with the default scope reads deployments and cannot change them", async () => {
    const { id } = await server.deploy(owner);
    const token = await keyOf({});
    expect((await server.call(DEPLOYMENTS, { token })).status).toBe(200);
    expect((await server.call(`${DEPLOYMENTS}/${id}`, { token })).status).toBe(200);
    const attempts = [
      ["POST", DEPLOYMENTS, server.body()],
      ["PUT", `${DEPLOYMENTS}/${id}`, { max_replicas: 2 }],
      ["POST", `${DEPLOYMENTS}/${id}/pause`, undefined],
      ["POST", `${DEPLOYMENTS}/${id}/resume`, undefined],
      ["POST", `${DEPLOYMENTS}/${id}/token`, undefined],
      ["POST", `${DEPLOYMENTS}/${id}/login`, undefined],
      ["DELETE", `${DEPLOYMENTS}/${id}`, undefined],
      ["POST", "/api/feather/private-models/acme%2Fmodel", {}],
      ["POST", "/api/feather/private-models/acme%2Fmodel/unload", undefined],
      ["DELETE", "/api/feather/private-models/acme%2Fmodel", undefined],
      ["POST", "/api/feather/models/acme%2Fmodel", {}],
    ] as const;
    for (const [method, path, body] of attempts) {
      const refused = await server.call(path, { method, token, ...(body && { body }) });
      expect([method, path, refused.status, errorCode(refused.body)]).toEqual([method, path, 403, "key_scope_denied"]);
    }
  });
});

describe("a key with limits", () => {
  test.each([
    ["models", { allowed_models: ["feather/guide"] }],
    ["networks", { ip_allowlist: ["127.0.0.0/8"] }],
    ["spending", { spend_limit_nano_usd: "1" }],
    ["units", { max_concurrency: 1 }],
  ])("a key limited by %s gets no token of a deployment", async (_what, limit) => {
    const { id } = await server.deploy(owner);
    const token = await keyOf({ ...limit, scopes: WRITER });
    for (const [path, body] of [
      [DEPLOYMENTS, server.body()],
      [`${DEPLOYMENTS}/${id}/token`, undefined],
      [`${DEPLOYMENTS}/${id}/login`, undefined],
    ] as const) {
      const refused = await server.call(path, { method: "POST", token, ...(body && { body }) });
      expect([path, refused.status, errorCode(refused.body)]).toEqual([path, 403, "api_keys.limited"]);
    }
  });

  test("the token of a deployment that was created with an expiring key ends with the key", async () => {
    const expires_at = new Date(server.clock.now().getTime() + 60_000).toISOString();
    const deployed = await server.deploy({ ...owner, token: await keyOf({ expires_at, scopes: WRITER }) });
    expect(await opens(deployed)).toBe(true);
    server.advanceSeconds(61);
    expect(await opens(deployed)).toBe(false);
  });
});

describe("a token made with a key", () => {
  test("the token of a deployment is invalid while the key that created it is disabled, and after that key is deleted", async () => {
    const { id: keyId, secret } = await server.createKey(owner, { scopes: WRITER });
    const deployed = await server.deploy({ ...owner, token: secret });
    const switchKey = (disabled: boolean) =>
      server.call(`/api/api-keys/${keyId}`, { method: "PUT", token: owner.token, body: { disabled } });
    expect(await opens(deployed)).toBe(true);
    await switchKey(true);
    expect(await opens(deployed)).toBe(false);
    await switchKey(false);
    expect(await opens(deployed)).toBe(true);
    await server.call(`/api/api-keys/${keyId}`, { method: "DELETE", token: owner.token });
    expect(await opens(deployed)).toBe(false);
  });

  test("the token of a deployment that a user replaced stays valid without the key", async () => {
    const { id: keyId, secret } = await server.createKey(owner, { scopes: WRITER });
    const { id } = await server.deploy({ ...owner, token: secret });
    const { body } = await server.call(`${DEPLOYMENTS}/${id}/token`, { method: "POST", token: owner.token });
    await server.call(`/api/api-keys/${keyId}`, { method: "DELETE", token: owner.token });
    expect(await opens({ id, token: String(body.token) })).toBe(true);
  });

  test("a console token from a login link ends with the key that created the link", async () => {
    const { id: keyId, secret } = await server.createKey(owner, { scopes: WRITER });
    const { id } = await server.deploy(owner);
    const link = await server.call(`${DEPLOYMENTS}/${id}/login`, { method: "POST", token: secret });
    const redeemed = await server.call("/api/feather/private-cloud/deployment-logins", {
      body: { token: link.body.token },
    });
    const console = { id, token: String(redeemed.body.token) };
    expect(await opens(console)).toBe(true);
    await server.call(`/api/api-keys/${keyId}`, { method: "DELETE", token: owner.token });
    expect(await opens(console)).toBe(false);
  });
});

test("the token of a deployment that an application created ends when its grant is revoked", async () => {
  const oauth = createOAuthClient(server);
  const app = await oauth.register(owner, { scopes: WRITER });
  const { access_token } = await oauth.tokensFor(owner, app);
  const deployed = await server.deploy({ ...owner, token: access_token });
  expect(await opens(deployed)).toBe(true);
  await server.db.deleteFrom("oauth_grants").where("application_id", "=", app.id).execute();
  expect(await opens(deployed)).toBe(false);
});
