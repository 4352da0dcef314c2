import { readFileSync } from "node:fs";

export type Route = { path: string; title: string; access: "public" | "private" | "admin" };

const SITE = new URL("../../packages/web/dist/site.json", import.meta.url);

/** Every route of the built site. */
export function siteRoutes(): Route[] {
  return (JSON.parse(readFileSync(SITE, "utf8")) as { routes: Route[] }).routes;
}

/** The address of a route, its parameters filled in; `rest` stands for what follows in a catch-all. */
export function addressOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/:(\w+)|\*/g, (_whole, name: string | undefined) => params[name ?? "rest"] ?? "x");
}
