import { matchRoutes } from "react-router-dom";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import type { ImportPage, PageModule } from "./page-module.ts";

const model: ImportPage = () => import("./routes/model.tsx");
const docs: ImportPage = () => import("./routes/docs.tsx");
const importReferencePage: ImportPage = () => import("#/features/content/reference/reference-page.tsx");
const family: ImportPage = () => import("./routes/model-family.tsx");

/** The pages of all public routes, by path. */
export const PUBLIC_PAGES: Record<string, ImportPage> = {
  "/": () => import("./routes/home.tsx"),
  "/login": () => import("./routes/login.tsx"),
  "/register": () => import("./routes/register.tsx"),
  "/models": () => import("./routes/models.tsx"),
  "/models/:owner/:name": model,
  "/models/:owner/:name/readme": model,
  "/models/:owner/:name/reviews": model,
  "/chat": () => import("./routes/chat.tsx"),
  "/reset-password": () => import("./routes/reset-password.tsx"),
  "/auth/:provider/callback": () => import("./routes/provider-callback.tsx"),
  "/deployments/open": () => import("./routes/deployment-open.tsx"),
  "/confirm-email": () => import("./routes/confirm-email.tsx"),
  "/invitations/:token": () => import("./routes/invitation.tsx"),
  "/status": () => import("./routes/status.tsx"),
  "/docs": docs,
  "/docs/*": docs,
  "/about": () => import("./routes/about.tsx"),
  "/blog": () => import("./routes/blog.tsx"),
  "/blog/*": () => import("./routes/blog-post.tsx"),
  "/bulk": () => import("./routes/bulk.tsx"),
  "/cline": () => import("./routes/cline.tsx"),
  "/roo-code": () => import("./routes/roo-code.tsx"),
  "/deepseek": () => import("./routes/deepseek.tsx"),
  "/deepseek-premium": () => import("./routes/deepseek-premium.tsx"),
  "/openai": () => import("./routes/openai.tsx"),
  "/discord": () => import("./routes/discord.tsx"),
  "/cookie-policy": () => import("./routes/cookie-policy.tsx"),
  "/privacy": () => import("./routes/privacy.tsx"),
  "/terms": () => import("./routes/terms.tsx"),
  "/guide": () => import("./routes/guide.tsx"),
  "/sponsorship": () => import("./routes/sponsorship.tsx"),
  "/model-families/:family": family,
  "/model-families/:family/:subTypeId": family,
  "/model-releases/:date": () => import("./routes/model-release.tsx"),
};

/** A route with the chunk of its page. */
export type PageRoute = { readonly route: RouteSpec; readonly importPage: ImportPage };

/** The routes of the specification. The API reference, below `/docs`, has its own page. */
export const PAGE_ROUTES: readonly PageRoute[] = ROUTES.flatMap((route) => {
  const page = { route, importPage: findPage(route.path) };
  return route.path === "/docs/*"
    ? [page, { route: { ...route, path: "/docs/api/*" }, importPage: importReferencePage }]
    : [page];
});

const MATCHERS = PAGE_ROUTES.map((handle) => ({ path: handle.route.path, handle }));

/** Loads the chunk of the page at a path. Returns null for an unknown path. */
export function importPageAt(path: string): Promise<PageModule> | null {
  return matchRoutes(MATCHERS, path)?.[0]?.route.handle.importPage() ?? null;
}

/** Returns how to load the page of a route. The list of private pages is in a chunk that visitors do not load. */
function findPage(route: string): ImportPage {
  return (
    PUBLIC_PAGES[route] ??
    (async () => {
      const importPage = (await import("./private-pages.ts")).PRIVATE_PAGES[route];
      if (!importPage) throw new Error(`The route ${route} has no page.`);
      return importPage();
    })
  );
}
