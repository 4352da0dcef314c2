import { isModelId } from "../http/canonical-url.ts";
import type { Found, PageFacts } from "./found.ts";
import { type BuiltSite, FRAME_MARK, type SiteRoute } from "./manifest.ts";
import { type RouteMatch, routeMatcher } from "./match-route.ts";
import { modelPage } from "./model-page.ts";
import type { SiteNames } from "./render-page.ts";
import type { SiteRepository } from "./site.repository.ts";
import { thingAt } from "./structured-data.ts";
import { textPage } from "./text-page.ts";

const LONGEST_DESCRIPTION = 200;
/** Metadata of the page for unknown paths. */
export const NOTHING: PageFacts = {
  status: 404,
  title: "Not found",
  description: null,
  canonical: null,
  kind: "website",
  body: "",
  card: null,
  crumbs: [],
  thing: null,
};

/** Returns a function from path to the metadata of its page. */
export function createPageFacts(site: BuiltSite, rows: SiteRepository, { productName, publicUrl }: SiteNames) {
  const match = routeMatcher(site.routes, { ignoreCase: false });
  const texts = new Map(site.pages.map((page) => [page.path, page]));

  /** The metadata behind a route with parameters; null if there is no such page. */
  async function find({ route, params }: RouteMatch, path: string): Promise<Found | null> {
    const { owner = "", name = "", family = "", subTypeId, date = "" } = params;
    if (route.path.startsWith("/models/:owner/:name")) {
      const id = `${owner}/${name}`;
      const model = isModelId(id) ? await rows.model(id) : null;
      return model && modelPage(model, publicUrl);
    }
    if (route.path.startsWith("/model-families/")) return familyPage(family, subTypeId);
    if (route.path === "/model-releases/:date")
      return (await rows.releasedOn(date)) > 0
        ? { title: `Models of ${date}`, description: `Models that came out on ${date}.` }
        : null;
    const text = texts.get(path);
    if (text) return textPage(text);
    if (path === "/") return { thing: thingAt("WebSite", productName, "/") };
    return route.path.endsWith("/*") ? null : {};
  }

  async function familyPage(family: string, subTypeId: string | undefined): Promise<Found | null> {
    const found = subTypeId === undefined ? await rows.family(family) : await rows.subType(family, subTypeId);
    if (!found) return null;
    const path = `/model-families/${"family_id" in found ? `${found.family_id}/` : ""}${found.id}`;
    const description = `Models of ${found.name}, and which answer now.`;
    return {
      title: found.name,
      description,
      canonical: path,
      card: { kind: "Model family", owner: null, title: found.name, text: description, facts: [] },
      crumbs: [
        { name: "Models", path: "/models" },
        { name: found.name, path },
      ],
    };
  }

  return async (address: string): Promise<PageFacts> => {
    const path = address.length > 1 ? address.replace(/\/+$/, "") : address;
    const matched = match(path);
    const found = matched && (await find(matched, path));
    if (!matched || !found) return NOTHING;
    const { title, description, access, layout } = matched.route;
    const isPublic = access === "public";
    return {
      ...NOTHING,
      status: 200,
      title,
      ...found,
      description: shorten(found.description ?? description),
      canonical: isPublic ? (found.canonical ?? path) : null,
      body: isPublic ? (site.documents[path] ?? framed(site, layout, found.body)) : "",
    };
  };
}

function framed({ frames }: BuiltSite, layout: SiteRoute["layout"], body = ""): string {
  return frames[layout]?.replace(FRAME_MARK, () => body) ?? body;
}

function shorten(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const plain = text.replaceAll(/\s+/g, " ").trim();
  return plain.length <= LONGEST_DESCRIPTION ? plain : `${plain.slice(0, LONGEST_DESCRIPTION - 1).trimEnd()}…`;
}
