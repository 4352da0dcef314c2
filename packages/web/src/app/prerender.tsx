import { text } from "node:stream/consumers";
import type { ReactNode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { matchPath, Route, Routes, StaticRouter } from "react-router-dom";
import { type Layout, ROUTES } from "#/config/routes.ts";
import { userQuery } from "#/features/auth/user.ts";
import { ConsentScreens } from "#/features/consent/consent-screens.tsx";
import { Frame } from "./frame.tsx";
import { PageBody } from "./lazy-page.tsx";
import { createPageLookup } from "./pages.ts";
import { Providers, type Services } from "./providers.tsx";
import { createServices } from "./services.ts";

const PAGE_PLACEHOLDER = '<div id="page-goes-here"></div>';
const LAYOUTS = ["default", "blank"] as const satisfies readonly Layout[];
const findPage = createPageLookup(ROUTES.map(({ path }) => path));

/**
 * Returns the HTML of the page at a path for a signed-out visitor, without data from the server. Throws if it has no
 * page.
 */
export async function renderPage(path: string): Promise<string> {
  const route =
    ROUTES.find((one) => one.path === path) ??
    ROUTES.find((one) => one.path.endsWith("/*") && matchPath(one.path, path));
  const page = route && findPage(route.path);
  if (!page) throw new Error(`The route ${path} has no page.`);
  const services = createServices();
  await page.prepare(services.client, path);
  return renderToHtml(services, path, route.path, route.layout, <PageBody page={page} />);
}

/** Returns the HTML around a page for each layout, in two parts: before and after the page. */
export async function renderLayouts(): Promise<Record<string, readonly [before: string, after: string]>> {
  const frames = LAYOUTS.map(async (layout) => {
    const html = await renderToHtml(createServices(), "/models", "/models", layout, <div id="page-goes-here" />);
    const [before = "", after = ""] = html.split(PAGE_PLACEHOLDER);
    return [layout, [before, after]] as const;
  });
  return Object.fromEntries(await Promise.all(frames));
}

async function renderToHtml(services: Services, path: string, route: string, layout: Layout, page: ReactNode) {
  services.client.setQueryData(userQuery.queryKey, null);
  const { prelude } = await prerenderToNodeStream(
    <Providers {...services}>
      <StaticRouter location={path}>
        <Routes>
          <Route
            path={route}
            element={
              <Frame layout={layout} path={route}>
                {page}
              </Frame>
            }
          />
        </Routes>
        <ConsentScreens path={path} />
      </StaticRouter>
    </Providers>,
    // Everything in one chunk: streamed parts would need an inline script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const html = await text(prelude);
  services.client.clear(); // its timers would keep the build process alive
  return stripMarkersAndStyles(html);
}

/** Removes React's comment markers, and inline styles, which the Content Security Policy forbids. */
const stripMarkersAndStyles = (html: string): string =>
  html.replaceAll(/<!--.*?-->/g, "").replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, "$1");
