/** A third-party program that uses the SDK's OAuth entry point, against the platform. */
import { AuthenticationError, createFeather } from "@feather/sdk";
import { createOAuth, type Tokens } from "@feather/sdk/oauth";
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const redirectUri = "http://127.0.0.1/callback";
const HOUR = 3_600_000;

describe("OAuth with the SDK", () => {
  let person: Awaited<ReturnType<typeof createAccount>>;
  let clientId = "";
  let skew = 0;
  const oauth = () =>
    createOAuth({ baseUrl, clientId, redirectUri, now: () => Date.now() + skew, sleep: async () => {} });

  beforeAll(async () => {
    person = await createAccount(baseUrl);
    const fields = { name: "Roost", redirect_uris: [redirectUri], scopes: ["user.read" as const] };
    clientId = (await person.feather.applications.create({ ...fields, client_type: "public" })).id;
  });

  /** What the consent page does when the person allows it. */
  async function allow(url: string): Promise<string> {
    const parameters = Object.fromEntries(new URL(url).searchParams) as { client_id: string; redirect_uri: string };
    return (await person.feather.oauth.authorize({ ...parameters, decision: "approve" })).redirect_to;
  }

  test("the code flow issues tokens, refreshes them once for concurrent requests, and revokes them", async () => {
    const { url, state, verifier } = await oauth().authorize({ scope: "user.read" });
    const tokens = await oauth().exchange(await allow(url), { state, verifier });
    expect(tokens.scope).toBe("user.read");

    const stored: Tokens[] = [];
    const token = oauth().tokenSource(tokens, { onRefresh: (renewed) => void stored.push(renewed) });
    skew = HOUR;
    const theirs = createFeather({ baseUrl, token });
    const people = await Promise.all([theirs.oauth.userinfo(), theirs.auth.me(), theirs.oauth.userinfo()]);
    expect(people.map(({ email }) => email)).toEqual([person.email, person.email, person.email]);
    expect(stored).toHaveLength(1);
    expect(stored[0]?.accessToken).not.toBe(tokens.accessToken);

    await oauth().revoke(stored[0]?.refreshToken ?? "");
    await expect(oauth().userinfo(stored[0]?.accessToken ?? "")).rejects.toThrow(AuthenticationError);
  });

  test("a denied authorization is reported, and a code cannot be exchanged twice", async () => {
    const { url, state, verifier } = await oauth().authorize();
    const parameters = Object.fromEntries(new URL(url).searchParams) as { client_id: string; redirect_uri: string };
    const refused = await person.feather.oauth.authorize({ ...parameters, decision: "deny" });
    await expect(oauth().exchange(refused.redirect_to, { state, verifier })).rejects.toMatchObject({
      code: "access_denied",
    });
    const back = await allow(url);
    await oauth().exchange(back, { state, verifier });
    await expect(oauth().exchange(back, { state, verifier })).rejects.toMatchObject({ code: "invalid_grant" });
  });
});
