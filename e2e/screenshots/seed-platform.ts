import type { Feather } from "@feather/sdk";
import { MODEL, seedToolServers } from "./seed-user.ts";

/** Grants the largest plan, credits and referral commission. */
export async function grantMaxPlan(admin: Feather, userId: string): Promise<void> {
  await admin.admin.users.update(userId, { plan_id: "feather_max", quantity: 1 });
  await admin.admin.users.grantCredits(userId, { amount_nano_usd: "25000000000", reason: "For the trial in May" });
  await admin.admin.users.setReferralReward(userId, { method: "commission" });
}

/** Creates the data that the admin pages list. */
export async function seedAdminData(admin: Feather): Promise<void> {
  await admin.admin.prices.create(MODEL, { prompt: "0.0000001", completion: "0.0000004" });
  await admin.admin.incidents.create({
    title: "Slow answers from one backend",
    body: "The first token took up to 9 s. The backend was restarted.",
    state: "monitoring",
  });
  await seedToolServers(admin.admin.toolServers);
  await admin.admin.currencies.set("EUR", { units_per_usd: "0.92" });
  await admin.admin.currencies.set("JPY", { units_per_usd: "151.3" });
  await admin.admin.coupons.create({ code: "SPRING26", percent_off: 20, duration: "once" });
  await admin.admin.coupons.create({ code: "STAY", percent_off: 30, duration: "once", is_retention: true });
  await admin.admin.routeRules.create({ path_glob: "/chat-old", redirect_to: "/chat", status: 301 });
  await admin.admin.routeRules.create({
    path_glob: "/account/private-cloud/beta/**",
    redirect_to: "/pricing",
    when: { auth: true, plan: "feather_lite" },
  });
  await admin.admin.routing.aliases.set("fast", { models: [MODEL, "Qwen/Qwen3-8B"] });
  await admin.admin.routing.aliases.set("company/default", { models: ["acme/not-here-any-more"] });
  await admin.admin.content.put("page", "imprint", {
    ...{ version: 0, title: "Imprint", description: "Who runs this site.", author: null, tags: [] },
    ...{ state: "published", published_at: null, text: "## Address\n\nExample Street 1, 12345 Exampletown" },
  });
  await admin.admin.mailTemplates.set("payment_failed", {
    subject: "{{ product }}: please look at invoice {{ number }}",
    text: "Dear customer,\n\n{{ amount }} of invoice {{ number }} could not be collected.\n{{#confirm_link}}\nPlease confirm it: {{ confirm_link }}\n{{/confirm_link}}",
    version: 0,
  });
  await admin.marketplace.subscribe({ provider: "aws", token: "test_northwind_feather_max" });
  await admin.admin.marketplaces.meters.set("aws", "feather_request_pricing", {
    dimension: "extra_usage",
    unit_price_usd: "0.01",
    max_monthly_usd_cents: 50_000,
  });
  await admin.admin.backends
    .create({ name: "gpu-box", base_url: "https://models.example.com/v1", models: ["Qwen/Qwen3-8B"], weight: 2 })
    .catch(() => {});
}

/** Gives a part of the newest invoice back, so that there is a credit note. */
export async function seedRefund(admin: Feather): Promise<void> {
  const [invoice] = (await admin.admin.invoices.list({ perPage: 1 })).items;
  if (invoice) await admin.admin.invoices.refund(invoice.id, { amount_cents: 500 });
}
