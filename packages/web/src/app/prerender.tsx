import { text } from "node:stream/consumers";
import { prerenderToNodeStream } from "react-dom/static";
import { createStaticHandler, createStaticRouter, type RouteObject, StaticRouterProvider } from "react-router-dom";
import type { Layout, RouteSpec } from "#/config/routes.ts";
import { createContentLoaders } from "./loaders.ts";
import { PAGE_ROUTES } from "./pages.ts";
import { Providers, type Services } from "./providers.tsx";
import { createRoutes } from "./router.tsx";
import { createServices } from "./services.ts";

const PAGE_PLACEHOLDER = '<div id="page-goes-here"></div>';
const LAYOUTS = ["default", "blank"] as const satisfies readonly Layout[];

/**
 * Returns the HTML of the page at a path for a visitor about whom nothing is known, without data from the server. Throws
 * if it has no page.
 */
export async function renderPage(path: string): Promise<string> {
  const services = createServices();
  return renderToHtml(services, createRoutes(createContentLoaders(services.client)), path);
}

/** Returns the HTML around a page for each layout, in two parts: before and after the page. */
export async function renderLayouts(): Promise<Record<string, readonly [before: string, after: string]>> {
  const frames = LAYOUTS.map(async (layout) => {
    const services = createServices();
    const route: RouteSpec = { path: "/models", title: "", access: "public", layout };
    const importPage = async () => ({ default: () => <div id="page-goes-here" /> });
    const routes = createRoutes(createContentLoaders(services.client), [{ route, importPage }]);
    const [before = "", after = ""] = (await renderToHtml(services, routes, route.path)).split(PAGE_PLACEHOLDER);
    return [layout, [before, after]] as const;
  });
  return Object.fromEntries(await Promise.all(frames));
}

/** Returns the outline of the pages behind the login that have one, in their layout, by path. */
export async function renderOutlines(): Promise<Record<string, string>> {
  const outlines: Record<string, string> = {};
  for (const { route, importPage } of PAGE_ROUTES.filter(({ route }) => route.access !== "public")) {
    const { Outline } = await importPage();
    if (!Outline) continue;
    const services = createServices();
    // The guard of the site waits for the user; the server's has decided when it sends an outline.
    const page = { route: { ...route, access: "public" } as const, importPage: async () => ({ default: Outline }) };
    const routes = createRoutes(createContentLoaders(services.client), [page]);
    outlines[route.path] = await renderToHtml(services, routes, route.path);
  }
  return outlines;
}

async function renderToHtml(services: Services, routes: RouteObject[], path: string): Promise<string> {
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(new URL(path, globalThis.location.href)));
  if (context instanceof Response || context.matches.at(-1)?.route.path === "*")
    throw new Error(`The path ${path} has no page.`);
  const { prelude } = await prerenderToNodeStream(
    <Providers {...services}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false} // its inline script is not needed: nothing of the context is
      />
    </Providers>,
    // Everything in one chunk: streamed parts would need an inline script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const html = await text(prelude);
  services.client.clear(); // its timers would keep the build process alive
  const [style] = /<[a-z][^<>]*? style="[^"]*"/.exec(html) ?? [];
  if (style) throw new Error(`${path}: the Content Security Policy forbids inline styles, such as ${style}`);
  return html;
}
