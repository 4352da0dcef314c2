import { createFeather, type Feather } from "@feather/sdk";
import { AS_TOKEN, newAccount } from "../support/accounts.ts";
import { ADMIN } from "../support/platform.ts";
import { deployMany, strain } from "./furnish-long.ts";
import { administer, grantTo } from "./furnish-platform.ts";
import { deploy, live, MODEL, prepareGrant, showTo } from "./furnish-user.ts";
import type { State } from "./state.ts";

/** Tokens of the seeded accounts, and the parameters and queries of the routes. */
export type Furnished = {
  adminToken: string;
  userToken: string;
  params(path: string): Readonly<Record<string, string>>;
  queries: Readonly<Record<string, string>>;
};

/**
 * Fills a new platform with users, keys, calls, payments, deployments, applications and admin data, depending on the
 * state.
 */
export async function furnish(baseUrl: string, state: State = "full"): Promise<Furnished> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, AS_TOKEN).withResponse();
  const adminToken = response.headers.get("x-session-token") ?? "";
  const admin = createFeather({ baseUrl, token: adminToken });
  const { feather: user, token: userToken } = await newAccount(baseUrl);
  const { id: userId } = await user.auth.me();
  if (state === "new")
    return {
      adminToken,
      userToken,
      ...(await fromCatalogue(createFeather({ baseUrl }), (path: string) =>
        path.startsWith("/admin/users") ? userId : undefined,
      )),
      queries: {},
    };
  await grantTo(admin, userId);
  await administer(admin);
  await live(user);
  const deployment = await deploy(user);
  const application = await prepareGrant(user);
  await showTo(user, baseUrl);
  if (state === "long") {
    await strain(user, baseUrl);
    await deployMany(user, MODEL);
  }
  const ids: Record<string, string> = {
    "/admin/users": userId,
    "/admin/models": encodeURIComponent(MODEL),
    "/admin/plans": "feather_scale",
    "/account/private-cloud": deployment ?? "x",
    "/admin/deployments": deployment ?? "x",
    "/developer/applications": application.id,
  };
  const idFor = (path: string) => Object.entries(ids).find(([start]) => path.startsWith(start))?.[1];
  return {
    adminToken,
    userToken,
    ...(await fromCatalogue(createFeather({ baseUrl }), idFor)),
    queries: {
      "/connect-marketplace-account": "?provider=aws&token=test_acme_feather_scale",
      "/subscription/change": "?plan=feather_max&quantity=2",
      "/oauth/authorize": `?${application.query}`,
    },
  };
}

async function fromCatalogue(
  feather: Feather,
  idFor: (path: string) => string | undefined,
): Promise<Pick<Furnished, "params">> {
  const releases = await feather.models.releases();
  const { items: families } = await feather.models.families();
  const family = families.find(({ sub_types }) => sub_types.length > 0);
  return {
    params: (path) => ({
      owner: "feather",
      name: "demo",
      provider: "github",
      family: family?.id ?? "qwen",
      subTypeId: family?.sub_types[0]?.id ?? "qwen3",
      date: releases.items[0]?.date ?? "2025-01-01",
      id: idFor(path) ?? "x",
      token: "none",
      rest: "quickstart",
    }),
  };
}
