import { readFileSync } from "node:fs";

/** A route of the site, and who may open it. */
export type Route = { path: string; title: string; access: "public" | "private" | "admin" };

const SITE_MANIFEST = new URL("../../packages/web/dist/site.json", import.meta.url);

/** Returns all routes of the built site. */
export function siteRoutes(): Route[] {
  return (JSON.parse(readFileSync(SITE_MANIFEST, "utf8")) as { routes: Route[] }).routes;
}

/** Returns the URL of a route with its parameters filled in; `rest` is that of a catch-all. */
export function routeAddress(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/:(\w+)|\*/g, (_whole, name: string | undefined) => params[name ?? "rest"] ?? "x");
}

/** Returns the paths of the pages that the build prerendered. */
export const prerenderedPaths = (): string[] => listPaths("documents");

/** Returns the paths of the pages behind the login whose heading the build prerendered. */
export const outlinedPaths = (): string[] => listPaths("outlines");

function listPaths(part: "documents" | "outlines"): string[] {
  return Object.keys((JSON.parse(readFileSync(SITE_MANIFEST, "utf8")) as Record<typeof part, object>)[part]);
}
