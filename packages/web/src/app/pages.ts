import { load, type Page } from "./load.tsx";

const model = load(() => import("./routes/model.tsx"));
const docs = load(() => import("./routes/docs.tsx"));
const family = load(() => import("./routes/model-family.tsx"));

/** The pages of all public routes, by path. */
export const PUBLIC_PAGES: Record<string, Page> = {
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
  "/deployments/open": load(() => import("./routes/deployment-open.tsx")),
  "/confirm-email": load(() => import("./routes/confirm-email.tsx")),
  "/invitations/:token": load(() => import("./routes/invitation.tsx")),
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
};

/** Returns a lookup from route to page. The loaders of private pages are in a chunk that visitors do not load. */
export function createPages(routes: readonly string[]): (route: string) => Page | undefined {
  const all = new Map(routes.map((route) => [route, PUBLIC_PAGES[route] ?? privatePage(route)]));
  return (route) => all.get(route);
}

function privatePage(route: string): Page {
  return load(async () => {
    const page = (await import("./private-pages.ts")).PRIVATE_PAGES[route];
    if (!page) throw new Error(`The route ${route} has no page.`);
    return page();
  });
}
