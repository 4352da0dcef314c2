import { createLazyPage, type LazyPage } from "./lazy-page.tsx";

const model = createLazyPage(() => import("./routes/model.tsx"));
const docs = createLazyPage(() => import("./routes/docs.tsx"));
const family = createLazyPage(() => import("./routes/model-family.tsx"));

/** The pages of all public routes, by path. */
export const PUBLIC_PAGES: Record<string, LazyPage> = {
  "/": createLazyPage(() => import("./routes/home.tsx")),
  "/login": createLazyPage(() => import("./routes/login.tsx")),
  "/register": createLazyPage(() => import("./routes/register.tsx")),
  "/models": createLazyPage(() => import("./routes/models.tsx")),
  "/models/:owner/:name": model,
  "/models/:owner/:name/readme": model,
  "/models/:owner/:name/reviews": model,
  "/chat": createLazyPage(() => import("./routes/chat.tsx")),
  "/reset-password": createLazyPage(() => import("./routes/reset-password.tsx")),
  "/auth/:provider/callback": createLazyPage(() => import("./routes/provider-callback.tsx")),
  "/deployments/open": createLazyPage(() => import("./routes/deployment-open.tsx")),
  "/confirm-email": createLazyPage(() => import("./routes/confirm-email.tsx")),
  "/invitations/:token": createLazyPage(() => import("./routes/invitation.tsx")),
  "/status": createLazyPage(() => import("./routes/status.tsx")),
  "/docs": docs,
  "/docs/*": docs,
  "/about": createLazyPage(() => import("./routes/about.tsx")),
  "/blog": createLazyPage(() => import("./routes/blog.tsx")),
  "/blog/*": createLazyPage(() => import("./routes/blog-post.tsx")),
  "/bulk": createLazyPage(() => import("./routes/bulk.tsx")),
  "/cline": createLazyPage(() => import("./routes/cline.tsx")),
  "/roo-code": createLazyPage(() => import("./routes/roo-code.tsx")),
  "/deepseek": createLazyPage(() => import("./routes/deepseek.tsx")),
  "/deepseek-premium": createLazyPage(() => import("./routes/deepseek-premium.tsx")),
  "/openai": createLazyPage(() => import("./routes/openai.tsx")),
  "/discord": createLazyPage(() => import("./routes/discord.tsx")),
  "/cookie-policy": createLazyPage(() => import("./routes/cookie-policy.tsx")),
  "/privacy": createLazyPage(() => import("./routes/privacy.tsx")),
  "/terms": createLazyPage(() => import("./routes/terms.tsx")),
  "/guide": createLazyPage(() => import("./routes/guide.tsx")),
  "/sponsorship": createLazyPage(() => import("./routes/sponsorship.tsx")),
  "/model-families/:family": family,
  "/model-families/:family/:subTypeId": family,
  "/model-releases/:date": createLazyPage(() => import("./routes/model-release.tsx")),
};

/** Returns a lookup from route to page. The loaders of private pages are in a chunk that visitors do not load. */
export function createPageLookup(routes: readonly string[]): (route: string) => LazyPage | undefined {
  const all = new Map(routes.map((route) => [route, PUBLIC_PAGES[route] ?? createPrivatePage(route)]));
  return (route) => all.get(route);
}

function createPrivatePage(route: string): LazyPage {
  return createLazyPage(async () => {
    const page = (await import("./private-pages.ts")).PRIVATE_PAGES[route];
    if (!page) throw new Error(`The route ${route} has no page.`);
    return page();
  });
}
