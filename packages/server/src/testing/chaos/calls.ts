import { CARDS } from "../billing.ts";
import { DEPLOYMENTS } from "../private-cloud.ts";
import type { World } from "./world.ts";

type Call = (world: World) => Promise<unknown>;

const PLANS = ["feather_lite", "feather_basic", "feather_pro_plus", "feather_scale", "feather_max"];
const ROLES = ["admin", "editor", "developer", "viewer"];
const CODES = ["CHAOS1", "CHAOS2"];
const KEPT_PEOPLE = 8;
const MODEL = "/api/feather/models/feather%2Fdemo";

const coin = ({ random }: World) => random() < 0.5;

/** Calls an operation on a random item of the person's list, if it has any. */
const onOne =
  (list: string, method: string, body?: (world: World) => object, suffix = ""): Call =>
  async (world) => {
    const who = world.person();
    const id = world.pick(await world.ids(who, list));
    if (id !== undefined) await world.send(who, method, `${list}/${id}${suffix}`, body?.(world));
  };

const simply =
  (method: string, path: string, body?: (world: World) => object): Call =>
  (world) =>
    world.send(world.person(), method, path, body?.(world));

const asAdmin =
  (method: string, path: (world: World) => string, body?: (world: World) => object): Call =>
  (world) =>
    world.send(world.admin(), method, path(world), body?.(world));

const plan = (world: World) => ({ plan_id: world.pick(PLANS), quantity: 1 });

async function tokenSentTo(world: World, email: string): Promise<string> {
  const [message] = await world.server.mails(email);
  return /one_[0-9A-Za-z]{49}/.exec(message?.body ?? "")?.[0] ?? "one_none";
}

async function addPerson(world: World, referrer?: string): Promise<void> {
  const email = `${world.fresh("person")}@example.com`;
  const who = await world.server.buyer(null, email);
  if (world.people.length < 40) world.people.push(who);
  if (referrer !== undefined) await world.send(who, "POST", "/api/account/referrer", { code: referrer });
}

async function leave(world: World): Promise<void> {
  if (world.people.length <= KEPT_PEOPLE) return addPerson(world);
  const who = world.person();
  const { status } = await world.send(who, "DELETE", "/api/account", {});
  if (status === 204 || status === 401) world.people.splice(world.people.indexOf(who), 1);
}

async function referEachOther(world: World): Promise<void> {
  const pair = [world.person(), world.person()] as const;
  const code = async (index: 0 | 1) =>
    ((await world.get(pair[index], "/api/account/referral/code")).body as { code?: string }).code ?? "AAAAAAAA";
  const [one, other] = [await code(0), await code(1)];
  await Promise.all([
    world.send(pair[0], "POST", "/api/account/referrer", { code: other }),
    world.send(pair[1], "POST", "/api/account/referrer", { code: one }),
  ]);
}

async function addCard(world: World): Promise<void> {
  const who = world.person();
  const { body } = await world.send(who, "POST", "/api/payment-methods/setup-intent");
  const test_card = world.pick([CARDS.works, CARDS.alsoWorks, CARDS.failsLater, CARDS.declined]);
  await world.send(who, "POST", `/api/payment-methods/setup-intent/${(body as { id?: string }).id}`, { test_card });
}

async function acceptInvitation(world: World): Promise<void> {
  const who = world.person();
  await world.send(who, "POST", `/api/invitations/${await tokenSentTo(world, who.email)}/accept`);
}

async function onMember(world: World, method: string, body?: object): Promise<void> {
  const who = world.person();
  const { body: members } = await world.get(who, "/api/organization/members");
  const member = world.pick((members as { items?: { user_id: string }[] }).items ?? []);
  if (member) await world.send(who, method, `/api/organization/members/${member.user_id}`, body);
}

async function refundSomething(world: World): Promise<void> {
  const admin = world.admin();
  const id = world.pick(await world.ids(admin, "/api/admin/invoices"));
  if (id !== undefined) await world.send(admin, "POST", `/api/admin/invoices/${id}/refund`, {});
}

async function payInvoice(world: World): Promise<void> {
  const who = world.person();
  const id = world.pick(await world.ids(who, "/api/invoices"));
  if (id !== undefined) await world.send(who, "POST", `/api/invoices/${id}/pay`);
}

async function authorizeApplication(world: World): Promise<void> {
  const [owner, who] = [world.person(), world.person()];
  const id = world.pick(await world.ids(owner, "/api/application"));
  if (id === undefined) return;
  const form = { client_id: id, redirect_uri: "https://roost.example/callback", response_type: "code" };
  const answer = await world.server.call("/api/oauth/authorize", {
    method: "POST",
    token: who.token,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...form, scope: "user.read", decision: "approve" }).toString(),
  });
  if (answer.status >= 500) world.failures.push(`authorize: ${answer.text}`);
}

const credits = (world: World) => ({ amount_nano_usd: coin(world) ? "5000000000" : "-1000000000", reason: "chaos" });
const application = (world: World) => ({
  name: world.fresh("Roost"),
  redirect_uris: ["https://roost.example/callback"],
  scopes: ["user.read"],
});
const deployment = (world: World) => ({
  name: world.fresh("bot"),
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  model_id: "feather/demo",
});
const marketplace = (world: World) => ({
  provider: "aws",
  token: `test_${world.fresh("customer")}_${world.pick(PLANS)}`,
});
const someone = (world: World) => `/api/admin/users/${world.person().userId}`;

/** Random calls of people and admins by name. Each can be made at any time by anybody. */
export const CHAOS_CALLS: Readonly<Record<string, Call>> = {
  "sign up": (world) => addPerson(world),
  "sign up with a referrer": async (world) => {
    const { body } = await world.get(world.person(), "/api/account/referral/code");
    await addPerson(world, (body as { code?: string }).code);
  },
  "delete the account": leave,
  "refer each other": referEachOther,
  "rename oneself": simply("PUT", "/api/account", (world) => ({ username: world.fresh("name") })),
  "export the account": simply("GET", "/api/account/export"),
  "change the plan": simply("POST", "/api/subscription", plan),
  "preview a change": simply("POST", "/api/subscription", (world) => ({ ...plan(world), preview: true })),
  "change the plan with a coupon": simply("POST", "/api/subscription", (world) => ({
    ...plan(world),
    coupon_code: world.pick(CODES),
  })),
  "check out": simply("POST", "/api/subscription/checkout", plan),
  "open the portal": simply("POST", "/api/subscription/customer-portal"),
  "cancel the plan": simply("DELETE", "/api/subscription"),
  "resume the plan": simply("POST", "/api/subscription/resume"),
  "apply a coupon": (world) => world.send(world.person(), "POST", `/api/subscription/coupons/${world.pick(CODES)}`),
  "remove the coupon": simply("DELETE", "/api/subscription/coupons"),
  "ask for a retention offer": simply("GET", "/api/subscription/retention-coupon"),
  "take the retention offer": simply("POST", "/api/subscription/retention-coupon"),
  "buy credits": simply("POST", "/api/usage/credits/top-up", () => ({ amount_usd_cents: 500 })),
  "pay an invoice": payInvoice,
  "add a card": addCard,
  "make a card the default": onOne("/api/payment-methods", "PUT"),
  "remove a card": onOne("/api/payment-methods", "DELETE"),
  "come from a marketplace": simply("POST", "/api/cloud-marketplace/subscribe", marketplace),
  "pay commission out": simply("POST", "/api/account/referral/payout"),
  "invite somebody": (world) =>
    world.send(world.person(), "POST", "/api/organization/invitations", {
      email: world.person().email,
      role: world.pick(ROLES),
    }),
  "accept an invitation": acceptInvitation,
  "withdraw an invitation": onOne("/api/organization/invitations", "DELETE"),
  "send an invitation again": onOne("/api/organization/invitations", "POST", undefined, "/resend"),
  "change a role": (world) => onMember(world, "PUT", { role: world.pick(ROLES) }),
  "remove a member": (world) => onMember(world, "DELETE"),
  "rename the organization": simply("PUT", "/api/organization", (world) => ({ name: world.fresh("Flock") })),
  "make a key": simply("POST", "/api/api-keys", (world) => ({ name: world.fresh("key") })),
  "rename a key": onOne("/api/api-keys", "PUT", (world) => ({ name: world.fresh("key") })),
  "delete a key": onOne("/api/api-keys", "DELETE"),
  "make an application": simply("POST", "/api/application", application),
  "switch an application": onOne(
    "/api/application",
    "PUT",
    (world) => ({ status: coin(world) ? "active" : "inactive" }),
    "/status",
  ),
  "delete an application": onOne("/api/application", "DELETE"),
  "authorize an application": authorizeApplication,
  "write a review": simply("POST", `${MODEL}/reviews`, () => ({ review: "Light.", rating: 5 })),
  "favor a model": simply("PUT", `${MODEL}/favorite`),
  "deploy a model": simply("POST", DEPLOYMENTS, deployment),
  "delete a deployment": onOne(DEPLOYMENTS, "DELETE"),
  "suspend or free a user": asAdmin("PUT", someone, (world) =>
    coin(world) && coin(world) ? { suspended: true, reason: "chaos" } : { suspended: false },
  ),
  "grant a plan": asAdmin("PUT", someone, plan),
  "make or unmake an admin": asAdmin("PUT", someone, (world) => ({ is_admin: coin(world) && coin(world) })),
  "grant or take credits": asAdmin("POST", (world) => `${someone(world)}/credits`, credits),
  "make or unmake an affiliate": asAdmin(
    "PUT",
    (world) => `${someone(world)}/referral-reward`,
    (world) => ({ method: coin(world) ? "commission" : "credits" }),
  ),
  "refund an invoice": refundSomething,
  "change a coupon": asAdmin(
    "PUT",
    (world) => `/api/admin/coupons/${world.pick(CODES)}`,
    (world) => ({ redeem_by_date: coin(world) ? null : "2030-01-01T00:00:00Z" }),
  ),
  "make a coupon": asAdmin(
    "POST",
    () => "/api/admin/coupons",
    (world) => ({ code: world.pick([...CODES, world.fresh("C")]), percent_off: 10, duration: "once" }),
  ),
  "change a plan": asAdmin(
    "PUT",
    (world) => `/api/admin/plans/${world.pick(PLANS)}`,
    (world) => ({ description: world.fresh("plan") }),
  ),
  "read the audit log": asAdmin("GET", () => "/api/admin/audit"),
  "renew what is due": ({ server }) => server.work(),
};
