import { createFeather, type Feather } from "@feather/sdk";
import { newAccount } from "../support/accounts.ts";
import { ADMIN } from "../support/platform.ts";

/** What pages are filled with, and which of it stands in their addresses. */
export type Furnished = {
  adminToken: string;
  userToken: string;
  params(path: string): Readonly<Record<string, string>>;
  queries: Readonly<Record<string, string>>;
};

const MODEL = "feather/demo";
const ASK = { model: MODEL, messages: [{ role: "user" as const, content: "Who are you?" }] };

/** Gives a new platform some life: keys, calls, a card, a program, reviews, an incident. */
export async function furnish(baseUrl: string): Promise<Furnished> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN).withResponse();
  const adminToken = response.headers.get("x-session-token") ?? "";
  const admin = createFeather({ baseUrl, token: adminToken });
  const { feather: user, token: userToken } = await newAccount(baseUrl);
  await administer(admin, (await user.auth.me()).id);
  await live(user);
  const application = await user.applications
    .create({ name: "Notebook", redirect_uris: ["https://notebook.example/callback"], scopes: ["user.read"] })
    .catch(() => null);
  const releases = await createFeather({ baseUrl }).models.releases();
  const { items: families } = await createFeather({ baseUrl }).models.families();
  const family = families.find(({ sub_types }) => sub_types.length > 0);
  return {
    adminToken,
    userToken,
    params: (path) => ({
      owner: "feather",
      name: "demo",
      provider: "github",
      family: family?.id ?? "qwen",
      subTypeId: family?.sub_types[0]?.id ?? "qwen3",
      date: releases.items[0]?.date ?? "2025-01-01",
      id: path.startsWith("/admin/models") ? encodeURIComponent(MODEL) : (application?.id ?? "x"),
      rest: path.startsWith("/blog") ? "why-concurrency-units" : "quickstart",
    }),
    queries: { "/connect-marketplace-account": "?token=none" },
  };
}

async function live(user: Feather): Promise<void> {
  for (const name of ["laptop", "ci", "notebook"]) await user.apiKeys.create({ name });
  for (let call = 0; call < 12; call++) await user.chat.completions.create({ ...ASK, max_tokens: 20 });
  await user.models.reviews.create(MODEL, { rating: 4, review: "Answers at once, knows nothing, and says so." });
  await user.models.favorite("Qwen/Qwen3-8B").catch(() => {});
}

async function administer(admin: Feather, userId: string): Promise<void> {
  await admin.admin.users.update(userId, { plan_id: "feather_scale", quantity: 2 });
  await admin.admin.users.grantCredits(userId, { amount_nano_usd: "25000000000", reason: "To look at" });
  await admin.admin.prices.create(MODEL, { prompt: "0.0000001", completion: "0.0000004" });
}
