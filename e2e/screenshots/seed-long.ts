import type { Feather } from "@feather/sdk";
import { createAccount } from "../support/accounts.ts";

const MANY_COUNT = 60;
/** Extreme names: longer than any column without a break, right to left, and with bidirectional overrides. */
const UNBROKEN = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenhersteller";
const NAMES = [
  UNBROKEN.slice(0, 64),
  "مؤسسة الريشة للنماذج اللغوية المفتوحة",
  "חברת הנוצה לדגמי שפה פתוחים (2026)",
  "👩🏽‍🚀🪶 Pen Friends 🇦🇶",
  "A \u202etxt.exe\u202c B",
  "<img src=x onerror=alert(1)>",
] as const;
const nameOf = (index: number) => NAMES[index % NAMES.length] ?? UNBROKEN;

/** Gives a user extreme names, and more items than fit on a page. */
export async function seedLongNames(user: Feather, baseUrl: string): Promise<void> {
  await user.account.update({ name: nameOf(0), username: "a".repeat(32) });
  await user.organization.update({ name: nameOf(0) });
  for (let key = 0; key < MANY_COUNT; key++)
    await user.apiKeys.create({ name: `${nameOf(key)}`.slice(0, 64) }).catch(() => {});
  for (let index = 0; index < NAMES.length; index++)
    await user.applications
      .create({
        name: nameOf(index),
        description: `${UNBROKEN}${UNBROKEN}`,
        redirect_uris: [`https://${"sub.".repeat(20)}example.com/${UNBROKEN.repeat(2)}`],
        scopes: ["user.read", "api.access"],
      })
      .catch(() => {});
  for (let guest = 0; guest < MANY_COUNT; guest++)
    await user.organization.invitations
      .create({ email: `${"g".repeat(40)}${guest}@${"subdomain.".repeat(8)}example.com`, role: "viewer" })
      .catch(() => {});
  for (let index = 1; index < NAMES.length; index++) await seedGuest(user, baseUrl, index);
}

/** Adds another user with an extreme name, a review and a referral. */
async function seedGuest(user: Feather, baseUrl: string, index: number): Promise<void> {
  const { feather: guest } = await createAccount(baseUrl);
  // Names that may mislead are refused for people; keys still have them.
  await guest.account.update({ name: nameOf(index) }).catch(() => {});
  await guest.organization.update({ name: nameOf(index) }).catch(() => {});
  await guest.models.reviews.create("feather/demo", { rating: 3, review: UNBROKEN.repeat(6) }).catch(() => {});
  const { code } = await user.referral.code();
  await guest.referral.setReferrer({ code }).catch(() => {});
}

/** Creates many deployments with long names; most stay pending, because this machine has room for few. */
export async function seedManyDeployments(user: Feather, model: string): Promise<void> {
  for (let index = 0; index < 50; index++)
    await user.deployments
      .create({
        name: `${"support-bot-for-the-whole-of-europe-"}${String(index).padStart(2, "0")}`.slice(-40),
        provider_id: "local",
        region: "here",
        instance_type: "cpu",
        model_id: model,
        min_replicas: 0,
        max_replicas: 1,
      })
      .catch(() => {});
}
