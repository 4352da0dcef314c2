import { matchRoutes } from "react-router-dom";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import type { ImportPage, PageModule } from "./page-module.ts";

const model: ImportPage = () => import("./routes/catalogue/model.tsx");
const docs: ImportPage = () => import("./routes/content/docs.tsx");
const importReferencePage: ImportPage = () => import("#/features/content/reference/reference-page.tsx");
const family: ImportPage = () => import("./routes/catalogue/model-family.tsx");

/** The pages of all public routes, by path. */
export const PUBLIC_PAGES: Record<string, ImportPage> = {
  "/": () => import("./routes/landing/home.tsx"),
  "/login": () => import("./routes/auth/login.tsx"),
  "/register": () => import("./routes/auth/register.tsx"),
  "/models": () => import("./routes/catalogue/models.tsx"),
  "/models/:owner/:name": model,
  "/models/:owner/:name/readme": model,
  "/models/:owner/:name/reviews": model,
  "/chat": () => import("./routes/chat/chat.tsx"),
  "/reset-password": () => import("./routes/auth/reset-password.tsx"),
  "/auth/:provider/callback": () => import("./routes/auth/provider-callback.tsx"),
  "/deployments/open": () => import("./routes/deployments/deployment-open.tsx"),
  "/confirm-email": () => import("./routes/auth/confirm-email.tsx"),
  "/invitations/:token": () => import("./routes/auth/invitation.tsx"),
  "/shared-chats/:token": () => import("./routes/chat/shared-chat.tsx"),
  "/status": () => import("./routes/content/status.tsx"),
  "/docs": docs,
  "/docs/*": docs,
  "/about": () => import("./routes/landing/about.tsx"),
  "/blog": () => import("./routes/content/blog.tsx"),
  "/:slug": () => import("./routes/content/own-page.tsx"),
  "/blog/*": () => import("./routes/content/blog-post.tsx"),
  "/bulk": () => import("./routes/landing/bulk.tsx"),
  "/cline": () => import("./routes/landing/cline.tsx"),
  "/roo-code": () => import("./routes/landing/roo-code.tsx"),
  "/deepseek": () => import("./routes/landing/deepseek.tsx"),
  "/deepseek-premium": () => import("./routes/landing/deepseek-premium.tsx"),
  "/openai": () => import("./routes/landing/openai.tsx"),
  "/discord": () => import("./routes/landing/discord.tsx"),
  "/cookie-policy": () => import("./routes/content/cookie-policy.tsx"),
  "/privacy": () => import("./routes/content/privacy.tsx"),
  "/terms": () => import("./routes/content/terms.tsx"),
  "/guide": () => import("./routes/landing/guide.tsx"),
  "/sponsorship": () => import("./routes/landing/sponsorship.tsx"),
  "/model-families/:family": family,
  "/model-families/:family/:subTypeId": family,
  "/model-releases/:date": () => import("./routes/catalogue/model-release.tsx"),
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
