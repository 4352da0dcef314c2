import type { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { matchRoutes, type RouteObject } from "react-router-dom";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import { Guarded, NotFound } from "./guarded.tsx";
import { load, type Page, PageBody } from "./load.tsx";
import { createPageLoader } from "./page-loader.ts";
import { createPreloader } from "./preload.ts";
import { Root } from "./root.tsx";
import { createRedirectLimit } from "./route-rules.ts";
import { type SiteHistory, SiteRouter } from "./site-router.tsx";

const model = load(() => import("./routes/model.tsx"));
const docs = load(() => import("./routes/docs.tsx"));
const family = load(() => import("./routes/model-family.tsx"));

/** The page of every route of the table. */
const PAGES: Record<string, Page> = {
  "/": load(() => import("./routes/home.tsx")),
  "/login": load(() => import("./routes/login.tsx")),
  "/register": load(() => import("./routes/register.tsx")),
  "/models": load(() => import("./routes/models.tsx")),
  "/models/:owner/:name": model,
  "/models/:owner/:name/readme": model,
  "/models/:owner/:name/reviews": model,
  "/chat": load(() => import("./routes/chat.tsx")),
  "/reset-password": load(() => import("./routes/reset-password.tsx")),
  "/auth/:provider/callback": load(() => import("./routes/provider-callback.tsx")),
  "/oauth/authorize": load(() => import("./routes/oauth-authorize.tsx")),
  "/deployments/open": load(() => import("./routes/deployment-open.tsx")),
  "/device": load(() => import("./routes/device.tsx")),
  "/status": load(() => import("./routes/status.tsx")),
  "/docs": docs,
  "/docs/*": docs,
  "/about": load(() => import("./routes/about.tsx")),
  "/blog": load(() => import("./routes/blog.tsx")),
  "/blog/*": load(() => import("./routes/blog-post.tsx")),
  "/bulk": load(() => import("./routes/bulk.tsx")),
  "/cline": load(() => import("./routes/cline.tsx")),
  "/roo-code": load(() => import("./routes/roo-code.tsx")),
  "/deepseek": load(() => import("./routes/deepseek.tsx")),
  "/deepseek-premium": load(() => import("./routes/deepseek-premium.tsx")),
  "/openai": load(() => import("./routes/openai.tsx")),
  "/discord": load(() => import("./routes/discord.tsx")),
  "/cookie-policy": load(() => import("./routes/cookie-policy.tsx")),
  "/privacy": load(() => import("./routes/privacy.tsx")),
  "/terms": load(() => import("./routes/terms.tsx")),
  "/guide": load(() => import("./routes/guide.tsx")),
  "/sponsorship": load(() => import("./routes/sponsorship.tsx")),
  "/model-families/:family": family,
  "/model-families/:family/:subTypeId": family,
  "/model-releases/:date": load(() => import("./routes/model-release.tsx")),
  "/pricing": load(() => import("./routes/pricing.tsx")),
  "/account/profile": load(() => import("./routes/account/profile.tsx")),
  "/account/change-password": load(() => import("./routes/account/change-password.tsx")),
  "/account/verify-email": load(() => import("./routes/account/verify-email.tsx")),
  "/account/referral": load(() => import("./routes/account/referral.tsx")),
  "/account/affiliate": load(() => import("./routes/account/affiliate.tsx")),
  "/connect-marketplace-account": load(() => import("./routes/connect-marketplace-account.tsx")),
  "/onboarding": load(() => import("./routes/onboarding.tsx")),
  "/developer/applications": load(() => import("./routes/developer/applications.tsx")),
  "/developer/applications/:id": load(() => import("./routes/developer/application.tsx")),
  "/account": load(() => import("./routes/account/subscription.tsx")),
  "/account/payment-methods": load(() => import("./routes/account/payment-methods.tsx")),
  "/account/payment-method-added": load(() => import("./routes/account/payment-method-added.tsx")),
  "/subscription/change": load(() => import("./routes/subscription-change.tsx")),
  "/subscription/complete": load(() => import("./routes/subscription-complete.tsx")),
  "/account/usage": load(() => import("./routes/account/usage.tsx")),
  "/account/api-keys": load(() => import("./routes/account/api-keys.tsx")),
  "/account/private-models": load(() => import("./routes/account/private-models.tsx")),
  "/account/private-cloud/deployments": load(() => import("./routes/account/deployments.tsx")),
  "/account/private-cloud/deployments/create": load(() => import("./routes/account/deployment-create.tsx")),
  "/account/private-cloud/deployments/:id": load(() => import("./routes/account/deployment.tsx")),
  "/admin/users": load(() => import("./routes/admin/users.tsx")),
  "/admin/backends": load(() => import("./routes/admin/backends.tsx")),
  "/admin/models": load(() => import("./routes/admin/models.tsx")),
  "/admin/models/create": load(() => import("./routes/admin/model-create.tsx")),
  "/admin/models/:id": load(() => import("./routes/admin/model.tsx")),
  "/admin/models/:id/price": load(() => import("./routes/admin/model-price.tsx")),
  "/admin": load(() => import("./routes/admin/overview.tsx")),
  "/admin/sentry-example-page": load(() => import("./routes/admin/sentry-example-page.tsx")),
  "/admin/model-requests": load(() => import("./routes/admin/model-requests.tsx")),
  "/admin/reviews": load(() => import("./routes/admin/reviews.tsx")),
  "/admin/deployments": load(() => import("./routes/admin/deployments.tsx")),
  "/admin/downloads": load(() => import("./routes/admin/downloads.tsx")),
  "/admin/usage": load(() => import("./routes/admin/usage.tsx")),
  "/admin/plans": load(() => import("./routes/admin/plans.tsx")),
  "/admin/plans/create": load(() => import("./routes/admin/plan-create.tsx")),
  "/admin/plans/:id": load(() => import("./routes/admin/plan.tsx")),
  "/admin/coupons": load(() => import("./routes/admin/coupons.tsx")),
  "/admin/invoices": load(() => import("./routes/admin/invoices.tsx")),
  "/admin/applications": load(() => import("./routes/admin/applications.tsx")),
  "/admin/incidents": load(() => import("./routes/admin/incidents.tsx")),
  "/admin/route-rules": load(() => import("./routes/admin/route-rules.tsx")),
  "/admin/outbox": load(() => import("./routes/admin/outbox.tsx")),
  "/admin/audit": load(() => import("./routes/admin/audit.tsx")),
  "/admin/settings": load(() => import("./routes/admin/settings.tsx")),
};

const UNKNOWN: RouteSpec = { path: "*", title: "Page not found", access: "public", layout: "default" };

/** The whole site: each page in its frame, behind its rules and its guard. */
export function Site({ client, history }: { client: QueryClient; history: SiteHistory }) {
  const [site] = useState(() => ({
    prepare: createPageLoader(client, find),
    preload: createPreloader((path) => find(path).page?.preload() ?? null),
    routes: createRoutes(),
  }));
  return (
    <SiteRouter history={history} prepare={site.prepare}>
      <Root routes={site.routes} layoutOf={(path) => find(path).route.layout} preload={site.preload} />
    </SiteRouter>
  );
}

function createRoutes(): RouteObject[] {
  const mayRedirect = createRedirectLimit();
  return [...ROUTES, UNKNOWN].map((route) => {
    const page = PAGES[route.path];
    if (!page && route !== UNKNOWN) throw new Error(`The route ${route.path} has no page.`);
    return {
      path: route.path,
      element: (
        <Guarded route={route} mayRedirect={mayRedirect}>
          {page ? <PageBody page={page} /> : <NotFound />}
        </Guarded>
      ),
    };
  });
}

/** The route of a path, and its page; none for an address that nobody knows. */
function find(path: string): { route: RouteSpec; page: Page | undefined } {
  const [match] =
    matchRoutes(
      [...ROUTES, UNKNOWN].map((route) => ({ path: route.path, handle: route })),
      path,
    ) ?? [];
  const route = match?.route.handle ?? UNKNOWN;
  return { route, page: PAGES[route.path] };
}
