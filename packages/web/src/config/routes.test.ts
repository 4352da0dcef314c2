import { expect, test } from "vitest";
import { ROUTES } from "./routes.ts";

const PUBLIC =
  `/ /:slug /about /blog /blog/* /bulk /chat /cline /roo-code /deepseek /deepseek-premium /openai /discord /cookie-policy
  /privacy /terms /guide /shared-chats/:token /sponsorship /models /models/:owner/:name /models/:owner/:name/readme /models/:owner/:name/reviews
  /model-families/:family /model-families/:family/:subTypeId /model-releases/:date /docs /docs/* /login /register /reset-password
  /status /confirm-email /invitations/:token /auth/:provider/callback /deployments/open`.split(/\s+/);
const PRIVATE =
  `/pricing /onboarding /oauth/authorize /device /connect-marketplace-account /subscription/change /subscription/complete
  /developer/applications /developer/applications/:id /account /account/affiliate /account/api-keys /account/change-password
  /account/payment-methods /account/payment-method-added /account/private-models /account/private-cloud/deployments
  /account/private-cloud/deployments/create /account/private-cloud/deployments/:id /account/profile /account/referral
  /account/usage /account/verify-email /account/organization
  /account/organization/log /account/organization/roles /account/organization/webhooks
  /account/organization/provider-keys /account/organization/tools /account/organization/prompts
  /account/prompts /account/collections /account/collections/:id`.split(/\s+/);
const ADMIN =
  `/admin /admin/models /admin/models/create /admin/models/:id /admin/models/:id/price /admin/sentry-example-page
  /admin/users /admin/users/:id /admin/invitations /admin/model-requests /admin/reviews /admin/backends /admin/backends/create /admin/routing /admin/deployments /admin/deployments/:id /admin/downloads /admin/usage /admin/operations
  /admin/plans /admin/plans/create /admin/plans/:id /admin/coupons /admin/currencies /admin/revenue /admin/invoices /admin/marketplaces /admin/applications /admin/incidents
  /admin/route-rules /admin/content /admin/content/:kind/:slug /admin/mails /admin/mails/:name /admin/outbox /admin/audit /admin/settings /admin/tools`.split(
    /\s+/,
  );

const pathsOf = (access: string) => ROUTES.filter((route) => route.access === access).map((route) => route.path);

test("every route exists once, with the right access", () => {
  expect(pathsOf("public").sort()).toEqual(PUBLIC.sort());
  expect(pathsOf("private").sort()).toEqual(PRIVATE.sort());
  expect(pathsOf("admin").sort()).toEqual(ADMIN.sort());
  expect(ROUTES).toHaveLength(107);
});

test.each([
  ["/login", "Login"],
  ["/register", "Sign up"],
  ["/account", "My Account > Subscription"],
  ["/account/affiliate", "My Account > Affiliate Program"],
  ["/account/api-keys", "API Keys"],
  ["/account/private-models", "Private Models"],
  ["/account/referral", "My Account > Referral Program"],
  ["/account/usage", "Usage History"],
  ["/account/verify-email", "Email verification required"],
])("%s has the title %s", (path, title) => {
  expect(ROUTES.find((route) => route.path === path)?.title).toBe(title);
});

test("routes have the right layout", () => {
  const layouts = Object.fromEntries(ROUTES.map((route) => [route.path, route.layout]));
  expect(layouts).toMatchObject({
    "/docs": "docs",
    "/docs/*": "docs",
    "/auth/:provider/callback": "blank",
    "/connect-marketplace-account": "blank",
    "/openai": "default",
  });
  expect(ROUTES.filter((route) => route.clientOnly).map((route) => route.path)).toEqual([
    "/subscription/change",
    "/subscription/complete",
    "/account/payment-methods",
  ]);
});
