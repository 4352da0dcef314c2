import { CARDS } from "../billing.ts";
import { DEPLOYMENTS } from "../private-cloud.ts";
import type { ChaosContext } from "./context.ts";

type Call = (context: ChaosContext) => Promise<unknown>;

const PLANS = ["feather_lite", "feather_basic", "feather_pro_plus", "feather_scale", "feather_max"];
const ROLES = ["admin", "editor", "developer", "viewer"];
const CODES = ["CHAOS1", "CHAOS2"];
const MIN_PEOPLE = 8;
const MODEL = "/api/feather/models/feather%2Fdemo";

const flipCoin = ({ random }: ChaosContext) => random() < 0.5;

/** Calls an operation on a random item of the person's list, if it has any. */
const onRandomItem =
  (list: string, method: string, body?: (context: ChaosContext) => object, suffix = ""): Call =>
  async (context) => {
    const who = context.person();
    const id = context.pick(await context.ids(who, list));
    if (id !== undefined) await context.send(who, method, `${list}/${id}${suffix}`, body?.(context));
  };

const asPerson =
  (method: string, path: string, body?: (context: ChaosContext) => object): Call =>
  (context) =>
    context.send(context.person(), method, path, body?.(context));

const asAdmin =
  (method: string, path: (context: ChaosContext) => string, body?: (context: ChaosContext) => object): Call =>
  (context) =>
    context.send(context.admin(), method, path(context), body?.(context));

const plan = (context: ChaosContext) => ({ plan_id: context.pick(PLANS), quantity: 1 });

async function findMailedToken(context: ChaosContext, email: string): Promise<string> {
  const [message] = await context.server.listMails(email);
  return /one_[0-9A-Za-z]{49}/.exec(message?.body ?? "")?.[0] ?? "one_none";
}

async function addPerson(context: ChaosContext, referrer?: string): Promise<void> {
  const email = `${context.uniqueName("person")}@example.com`;
  const who = await context.server.createBuyer(null, email);
  if (context.people.length < 40) context.people.push(who);
  if (referrer !== undefined) await context.send(who, "POST", "/api/account/referrer", { code: referrer });
}

async function deleteAccount(context: ChaosContext): Promise<void> {
  if (context.people.length <= MIN_PEOPLE) return addPerson(context);
  const who = context.person();
  const { status } = await context.send(who, "DELETE", "/api/account", {});
  if (status === 204 || status === 401) context.people.splice(context.people.indexOf(who), 1);
}

async function referEachOther(context: ChaosContext): Promise<void> {
  const pair = [context.person(), context.person()] as const;
  const code = async (index: 0 | 1) =>
    ((await context.get(pair[index], "/api/account/referral/code")).body as { code?: string }).code ?? "AAAAAAAA";
  const [one, other] = [await code(0), await code(1)];
  await Promise.all([
    context.send(pair[0], "POST", "/api/account/referrer", { code: other }),
    context.send(pair[1], "POST", "/api/account/referrer", { code: one }),
  ]);
}

async function addCard(context: ChaosContext): Promise<void> {
  const who = context.person();
  const { body } = await context.send(who, "POST", "/api/payment-methods/setup-intent");
  const test_card = context.pick([CARDS.works, CARDS.alsoWorks, CARDS.failsLater, CARDS.declined]);
  await context.send(who, "POST", `/api/payment-methods/setup-intent/${(body as { id?: string }).id}`, { test_card });
}

async function acceptInvitation(context: ChaosContext): Promise<void> {
  const who = context.person();
  await context.send(who, "POST", `/api/invitations/${await findMailedToken(context, who.email)}/accept`);
}

async function onRandomMember(context: ChaosContext, method: string, body?: object): Promise<void> {
  const who = context.person();
  const { body: members } = await context.get(who, "/api/organization/members");
  const member = context.pick((members as { items?: { user_id: string }[] }).items ?? []);
  if (member) await context.send(who, method, `/api/organization/members/${member.user_id}`, body);
}

async function refundRandomInvoice(context: ChaosContext): Promise<void> {
  const admin = context.admin();
  const id = context.pick(await context.ids(admin, "/api/admin/invoices"));
  if (id !== undefined) await context.send(admin, "POST", `/api/admin/invoices/${id}/refund`, {});
}

async function payRandomInvoice(context: ChaosContext): Promise<void> {
  const who = context.person();
  const id = context.pick(await context.ids(who, "/api/invoices"));
  if (id !== undefined) await context.send(who, "POST", `/api/invoices/${id}/pay`);
}

async function authorizeRandomApplication(context: ChaosContext): Promise<void> {
  const [owner, who] = [context.person(), context.person()];
  const id = context.pick(await context.ids(owner, "/api/application"));
  if (id === undefined) return;
  const form = { client_id: id, redirect_uri: "https://roost.example/callback", response_type: "code" };
  const answer = await context.server.call("/api/oauth/authorize", {
    method: "POST",
    token: who.token,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...form, scope: "user.read", decision: "approve" }).toString(),
  });
  if (answer.status >= 500) context.failures.push(`authorize: ${answer.text}`);
}

const credits = (context: ChaosContext) => ({
  amount_nano_usd: flipCoin(context) ? "5000000000" : "-1000000000",
  reason: "chaos",
});
const application = (context: ChaosContext) => ({
  name: context.uniqueName("Roost"),
  redirect_uris: ["https://roost.example/callback"],
  scopes: ["user.read"],
});
const deployment = (context: ChaosContext) => ({
  name: context.uniqueName("bot"),
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  model_id: "feather/demo",
});
const marketplace = (context: ChaosContext) => ({
  provider: "aws",
  token: `test_${context.uniqueName("customer")}_${context.pick(PLANS)}`,
});
const randomUserPath = (context: ChaosContext) => `/api/admin/users/${context.person().userId}`;

/** Random calls of people and admins by name. Anybody can make each of them at any time. */
export const CHAOS_CALLS: Readonly<Record<string, Call>> = {
  "sign up": (context) => addPerson(context),
  "sign up with a referrer": async (context) => {
    const { body } = await context.get(context.person(), "/api/account/referral/code");
    await addPerson(context, (body as { code?: string }).code);
  },
  "delete the account": deleteAccount,
  "refer each other": referEachOther,
  "rename oneself": asPerson("PUT", "/api/account", (context) => ({ username: context.uniqueName("name") })),
  "export the account": asPerson("GET", "/api/account/export"),
  "change the plan": asPerson("POST", "/api/subscription", plan),
  "preview a change": asPerson("POST", "/api/subscription", (context) => ({ ...plan(context), preview: true })),
  "change the plan with a coupon": asPerson("POST", "/api/subscription", (context) => ({
    ...plan(context),
    coupon_code: context.pick(CODES),
  })),
  "check out": asPerson("POST", "/api/subscription/checkout", plan),
  "open the portal": asPerson("POST", "/api/subscription/customer-portal"),
  "cancel the plan": asPerson("DELETE", "/api/subscription"),
  "resume the plan": asPerson("POST", "/api/subscription/resume"),
  "apply a coupon": (context) =>
    context.send(context.person(), "POST", `/api/subscription/coupons/${context.pick(CODES)}`),
  "remove the coupon": asPerson("DELETE", "/api/subscription/coupons"),
  "ask for a retention offer": asPerson("GET", "/api/subscription/retention-coupon"),
  "take the retention offer": asPerson("POST", "/api/subscription/retention-coupon"),
  "buy credits": asPerson("POST", "/api/usage/credits/top-up", () => ({ amount_usd_cents: 500 })),
  "pay an invoice": payRandomInvoice,
  "add a card": addCard,
  "make a card the default": onRandomItem("/api/payment-methods", "PUT"),
  "remove a card": onRandomItem("/api/payment-methods", "DELETE"),
  "come from a marketplace": asPerson("POST", "/api/cloud-marketplace/subscribe", marketplace),
  "pay commission out": asPerson("POST", "/api/account/referral/payout"),
  "invite somebody": (context) =>
    context.send(context.person(), "POST", "/api/organization/invitations", {
      email: context.person().email,
      role: context.pick(ROLES),
    }),
  "accept an invitation": acceptInvitation,
  "withdraw an invitation": onRandomItem("/api/organization/invitations", "DELETE"),
  "send an invitation again": onRandomItem("/api/organization/invitations", "POST", undefined, "/resend"),
  "change a role": (context) => onRandomMember(context, "PUT", { role: context.pick(ROLES) }),
  "remove a member": (context) => onRandomMember(context, "DELETE"),
  "rename the organization": asPerson("PUT", "/api/organization", (context) => ({ name: context.uniqueName("Flock") })),
  "make a key": asPerson("POST", "/api/api-keys", (context) => ({ name: context.uniqueName("key") })),
  "rename a key": onRandomItem("/api/api-keys", "PUT", (context) => ({ name: context.uniqueName("key") })),
  "delete a key": onRandomItem("/api/api-keys", "DELETE"),
  "make an application": asPerson("POST", "/api/application", application),
  "switch an application": onRandomItem(
    "/api/application",
    "PUT",
    (context) => ({ status: flipCoin(context) ? "active" : "inactive" }),
    "/status",
  ),
  "delete an application": onRandomItem("/api/application", "DELETE"),
  "authorize an application": authorizeRandomApplication,
  "write a review": asPerson("POST", `${MODEL}/reviews`, () => ({ review: "Light.", rating: 5 })),
  "favor a model": asPerson("PUT", `${MODEL}/favorite`),
  "deploy a model": asPerson("POST", DEPLOYMENTS, deployment),
  "delete a deployment": onRandomItem(DEPLOYMENTS, "DELETE"),
  "suspend or free a user": asAdmin("PUT", randomUserPath, (context) =>
    flipCoin(context) && flipCoin(context) ? { suspended: true, reason: "chaos" } : { suspended: false },
  ),
  "grant a plan": asAdmin("PUT", randomUserPath, plan),
  "make or unmake an admin": asAdmin("PUT", randomUserPath, (context) => ({
    is_admin: flipCoin(context) && flipCoin(context),
  })),
  "grant or take credits": asAdmin("POST", (context) => `${randomUserPath(context)}/credits`, credits),
  "make or unmake an affiliate": asAdmin(
    "PUT",
    (context) => `${randomUserPath(context)}/referral-reward`,
    (context) => ({ method: flipCoin(context) ? "commission" : "credits" }),
  ),
  "refund an invoice": refundRandomInvoice,
  "change a coupon": asAdmin(
    "PUT",
    (context) => `/api/admin/coupons/${context.pick(CODES)}`,
    (context) => ({ redeem_by_date: flipCoin(context) ? null : "2030-01-01T00:00:00Z" }),
  ),
  "make a coupon": asAdmin(
    "POST",
    () => "/api/admin/coupons",
    (context) => ({ code: context.pick([...CODES, context.uniqueName("C")]), percent_off: 10, duration: "once" }),
  ),
  "change a plan": asAdmin(
    "PUT",
    (context) => `/api/admin/plans/${context.pick(PLANS)}`,
    (context) => ({ description: context.uniqueName("plan") }),
  ),
  "read the audit log": asAdmin("GET", () => "/api/admin/audit"),
  "renew what is due": ({ server }) => server.runJobs(),
};
