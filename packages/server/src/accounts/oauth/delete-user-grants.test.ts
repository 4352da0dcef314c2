import { afterAll, beforeAll, expect, test } from "vitest";
import { createOAuthClient, errorOf } from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { deleteUserGrants } from "./delete-user-grants.ts";

let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  oauth = createOAuthClient(server);
  owner = await server.signUp("owner@example.com");
});
afterAll(() => server.close());

const endGrants = (user: Account) => server.db.transaction().execute((trx) => deleteUserGrants(user.userId, trx));

test("deleting a user's grants ends access tokens, refresh tokens and codes of every application of the user", async () => {
  const user = await server.signUp();
  const [first, second] = [await oauth.register(owner), await oauth.register(owner)];
  const tokens = await oauth.tokensFor(user, first);
  const code = await oauth.codeFor(user, second);

  expect((await endGrants(user)).toSorted()).toEqual([first.id, second.id].toSorted());

  expect((await oauth.userinfo(tokens.access_token)).status).toBe(401);
  expect(errorOf(await oauth.refresh(first, tokens.refresh_token))).toEqual([400, "invalid_grant"]);
  expect(errorOf(await oauth.redeem(second, code))).toEqual([400, "invalid_grant"]);
});

test("deleting a user's grants leaves the tokens of other users alone", async () => {
  const [user, other] = [await server.signUp(), await server.signUp()];
  const application = await oauth.register(owner);
  const tokens = await oauth.tokensFor(other, application);
  expect(await endGrants(user)).toEqual([]);
  expect((await oauth.refresh(application, tokens.refresh_token)).status).toBe(200);
});
