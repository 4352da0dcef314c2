import type { Feather } from "@feather/sdk";
import { newAccount } from "../support/accounts.ts";

const MANY = 60;
/** As names get: longer than any column and without a place to break, right to left, with marks that turn the line. */
const UNBROKEN = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenhersteller";
const NAMES = [
  UNBROKEN.slice(0, 64),
  "مؤسسة الريشة للنماذج اللغوية المفتوحة",
  "חברת הנוצה לדגמי שפה פתוחים (2026)",
  "👩🏽‍🚀🪶 Feather Friends 🇦🇶",
  "A \u202etxt.exe\u202c B",
  "<img src=x onerror=alert(1)>",
] as const;
const nameOf = (index: number) => NAMES[index % NAMES.length] ?? UNBROKEN;

/** Gives somebody names that strain every page, and as many of everything as a page holds and more. */
export async function strain(user: Feather, baseUrl: string): Promise<void> {
  await user.account.update({ name: nameOf(0), username: "a".repeat(32) });
  await user.organization.update({ name: nameOf(0) });
  for (let key = 0; key < MANY; key++)
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
  for (let guest = 0; guest < MANY; guest++)
    await user.organization.invitations
      .create({ email: `${"g".repeat(40)}${guest}@${"subdomain.".repeat(8)}example.com`, role: "viewer" })
      .catch(() => {});
  for (let index = 1; index < NAMES.length; index++) await join(user, baseUrl, index);
}

/** Somebody with such a name, who does something of their own. */
async function join(user: Feather, baseUrl: string, index: number): Promise<void> {
  const { feather: guest } = await newAccount(baseUrl);
  await guest.account.update({ name: nameOf(index) });
  await guest.organization.update({ name: nameOf(index) });
  await guest.models.reviews.create("feather/demo", { rating: 3, review: UNBROKEN.repeat(6) }).catch(() => {});
  const { code } = await user.referral.code();
  await guest.referral.setReferrer({ code }).catch(() => {});
}

/** Many deployments with names as long as they may be; they wait, as this machine has room for few. */
export async function deployMany(user: Feather, model: string): Promise<void> {
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
