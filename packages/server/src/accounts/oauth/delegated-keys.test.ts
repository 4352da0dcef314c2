import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application, createOAuthClient } from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { deleteUserGrants } from "./delete-user-grants.ts";

const SCOPES = ["user.read", "keys.write"];
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let owner: Account;
let user: Account;
let app: Application;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  oauth = createOAuthClient(server);
  owner = await server.signUp("owner@example.com");
});
beforeEach(async () => {
  user = await server.signUpOnPlan({});
  app = await oauth.register(owner, { scopes: SCOPES });
  token = (await oauth.tokensFor(user, app)).access_token;
});
afterAll(() => server.close());

type Key = { id: string; secret: string };
const makeKey = async (by: string, scopes = SCOPES): Promise<Key> => {
  const { status, body, text } = await server.call("/api/api-keys", { token: by, body: { name: "x", scopes } });
  if (status !== 201) throw new Error(`No key: ${status} ${text}`);
  return body as Key;
};
const works = async ({ secret }: Key) => (await server.call("/api/auth/me", { token: secret })).status === 200;
const withdraw = async () => {
  const { body } = await server.call("/api/account/authorizations", { token: user.token });
  const [grant] = (body as { items: { id: string }[] }).items;
  const answer = await server.call(`/api/account/authorizations/${grant?.id}`, { method: "DELETE", token: user.token });
  expect(answer.status).toBe(204);
};

describe("an API key that an application created", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["the user takes the permission back", withdraw],
    [
      "all permissions of the user end",
      async () => {
        await server.db.transaction().execute((trx) => deleteUserGrants(user.userId, trx));
        server.api.identity.invalidateApiKeys();
      },
    ],
    [
      "a refresh token of the application is used twice",
      async () => {
        const { refresh_token } = await oauth.tokensFor(user, app);
        await oauth.refresh(app, refresh_token);
        await oauth.refresh(app, refresh_token);
      },
    ],
    [
      "the application is deleted",
      () => server.call(`/api/application/${app.id}`, { method: "DELETE", token: owner.token }),
    ],
    [
      "the application is switched off",
      () =>
        server.call(`/api/application/${app.id}/status`, {
          method: "PUT",
          token: owner.token,
          body: { status: "inactive" },
        }),
    ],
  ])("an API key that an application created ends when %s", async (_what, end) => {
    const key = await makeKey(token);
    const made = await makeKey(key.secret);
    const own = await makeKey(user.token);
    expect([await works(key), await works(made), await works(own)]).toEqual([true, true, true]);
    await end();
    expect([await works(key), await works(made), await works(own)]).toEqual([false, false, true]);
  });

  test("an API key that an application created names its application to the members of the organization", async () => {
    const { id } = await makeKey(token);
    const { body } = await server.call(`/api/api-keys/${id}`, { token: user.token });
    expect(body).toMatchObject({ created_by: user.userId, created_by_application: "Roost" });
  });

  test("an API key that an application created is no longer listed once the grant is revoked", async () => {
    await makeKey(token);
    await withdraw();
    const { body } = await server.call("/api/api-keys", { token: user.token });
    expect(body).toMatchObject({ items: [] });
  });
});

test("a user's key that an application rotated ends with the grant, because the application knows its secret", async () => {
  const { id } = await makeKey(user.token);
  const { status, body } = await server.call(`/api/api-keys/${id}/rotate`, { token, body: { grace_s: 0 } });
  expect(status).toBe(200);
  expect(await works(body as Key)).toBe(true);
  await withdraw();
  expect(await works(body as Key)).toBe(false);
});

describe("an application that another application registered for its user", () => {
  const registerBy = async (by: string) => {
    const body = { name: "Planted", redirect_uris: ["https://roost.example/callback"], scopes: ["user.read"] };
    const answer = await server.call("/api/application", { token: by, body });
    expect(answer.status).toBe(201);
    return answer.body as Application;
  };
  const read = async ({ id }: Application) =>
    (await server.call(`/api/application/${id}`, { token: user.token })).body as Application;
  const startDevice = ({ id, client_secret }: Application) =>
    oauth.form("/api/oauth/revoke", { client_id: id, client_secret: client_secret ?? "", token: "oat_x" });

  test.each<[string, () => Promise<unknown>]>([
    ["the user takes the permission back", withdraw],
    [
      "a refresh token is used twice",
      async () => {
        const { refresh_token } = await oauth.tokensFor(user, app);
        await oauth.refresh(app, refresh_token);
        await oauth.refresh(app, refresh_token);
      },
    ],
  ])(
    "an application that another application registered for its user is switched off, and its secret ends, when %s",
    async (_what, end) => {
      const planted = await registerBy(token);
      const own = await registerBy(user.token);
      expect((await startDevice(planted)).status).toBe(200);
      await end();
      expect([(await read(planted)).status, (await read(own)).status]).toEqual(["inactive", "active"]);
      expect([(await startDevice(planted)).status, (await startDevice(own)).status]).toEqual([401, 200]);
    },
  );

  test("an application that another application registered for its user continues to work if its user made a new secret for it", async () => {
    const planted = await registerBy(token);
    await server.call(`/api/application/${planted.id}/regenerate-secret`, { method: "POST", token: user.token });
    await withdraw();
    expect((await read(planted)).status).toBe("active");
  });

  test("an application that another application registered for its user is one of the user's own, too, if the other application made its latest secret", async () => {
    const own = await registerBy(user.token);
    const path = `/api/application/${own.id}/regenerate-secret`;
    expect((await server.call(path, { method: "POST", token })).status).toBe(200);
    await withdraw();
    expect((await read(own)).status).toBe("inactive");
  });
});
