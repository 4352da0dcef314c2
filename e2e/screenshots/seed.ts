import { createFeather, type Feather } from "@feather/sdk";
import { createAccount, TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN } from "../support/platform.ts";
import type { PageState } from "./page-state.ts";
import { seedLongNames, seedManyDeployments } from "./seed-long.ts";
import { grantMaxPlan, seedAdminData, seedRefund } from "./seed-platform.ts";
import { MODEL, seedDeployment, seedOAuthApplication, seedReferrals, seedUser } from "./seed-user.ts";

/** Tokens of the seeded accounts, and the parameters and queries of the routes. */
export type SeedData = {
  adminToken: string;
  userToken: string;
  params(path: string): Readonly<Record<string, string>>;
  queries: Readonly<Record<string, string>>;
};

/**
 * Fills a new platform with users, keys, calls, payments, deployments, applications and admin data, depending on the
 * state.
 */
export async function seedPlatform(baseUrl: string, state: PageState = "full"): Promise<SeedData> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
  const adminToken = response.headers.get("x-session-token") ?? "";
  const admin = createFeather({ baseUrl, token: adminToken });
  const { feather: user, token: userToken } = await createAccount(baseUrl);
  const { id: userId } = await user.auth.me();
  if (state === "new")
    return {
      adminToken,
      userToken,
      ...(await createParams(createFeather({ baseUrl }), (path: string) =>
        path.startsWith("/admin/users") ? userId : undefined,
      )),
      queries: {},
    };
  await grantMaxPlan(admin, userId);
  await seedAdminData(admin);
  await seedUser(user);
  await seedRefund(admin);
  const deployment = await seedDeployment(user);
  const application = await seedOAuthApplication(user);
  const collection = await seedCollection(user);
  await seedReferrals(user, baseUrl);
  if (state === "long") {
    await seedLongNames(user, baseUrl);
    await seedManyDeployments(user, MODEL);
  }
  const ids: Record<string, string> = {
    "/admin/users": userId,
    "/admin/models": encodeURIComponent(MODEL),
    "/admin/plans": "feather_scale",
    "/account/private-cloud": deployment ?? "x",
    "/admin/deployments": deployment ?? "x",
    "/developer/applications": application.id,
    "/account/collections": collection,
  };
  const idFor = (path: string) => Object.entries(ids).find(([start]) => path.startsWith(start))?.[1];
  const { params } = await createParams(createFeather({ baseUrl }), idFor);
  const [share] = (await user.chatShares.list()).items;
  const shareToken = share?.url.split("/").at(-1) ?? "none";
  return {
    adminToken,
    userToken,
    params: (path) => {
      if (path.startsWith("/shared-chats")) return { token: shareToken };
      if (path === "/:slug" || path.startsWith("/admin/content/")) return { kind: "page", slug: "imprint" };
      return path === "/blog/*" ? { rest: "what-the-server-can-read" } : params(path);
    },
    queries: {
      "/connect-marketplace-account": "?provider=aws&token=test_acme_feather_scale",
      "/subscription/change": "?plan=feather_max&quantity=2",
      "/oauth/authorize": `?${application.query}`,
    },
  };
}

/** Creates a collection with two documents, and an empty one of the user alone. Returns the id of the first. */
async function seedCollection(feather: Feather): Promise<string> {
  const { id } = await feather.collections.create({ name: "Handbook", description: "How we work." });
  for (const [name, text] of [
    ["leave.md", "Everybody has thirty days of leave."],
    ["travel.txt", "Trains are booked by the office."],
  ] as const)
    await feather.collections.documents.add(id, { file: new File([text], name) });
  await feather.collections.create({ name: "Drafts", access: "owner", embedding_model: null });
  return id;
}

async function createParams(
  feather: Feather,
  idFor: (path: string) => string | undefined,
): Promise<Pick<SeedData, "params">> {
  const releases = await feather.models.releases();
  const { items: families } = await feather.models.families();
  const family = families.find(({ sub_types }) => sub_types.length > 0);
  return {
    params: (path) => ({
      owner: "feather",
      name: path.startsWith("/admin/mails") ? "payment_failed" : "demo",
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
