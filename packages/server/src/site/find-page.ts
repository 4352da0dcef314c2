import { toHtml } from "@feather/markdown/to-html";
import { LRUCache } from "lru-cache";
import type { ListedContent } from "../insight/content/index.ts";
import { isModelId } from "../platform/core/models/model-ids.ts";
import { type BuiltSite, FRAME_PLACEHOLDER, type SiteRoute } from "./manifest.ts";
import { createRouteMatcher, type RouteMatch } from "./match-route.ts";
import { describeModelPage } from "./model-page.ts";
import type { PageMetadata, PageMetadataOverrides } from "./page-metadata.ts";
import type { SiteNames } from "./render-page.ts";
import type { SiteRepository } from "./site.repository.ts";
import { createSchemaObject } from "./structured-data.ts";
import { describeContent, describeTextPage, renderPostList } from "./text-page.ts";

const MAX_DESCRIPTION_LENGTH = 200;
/** Pages that are prerendered for visitors. Signed-in users see other content there. */
const FOR_VISITORS: ReadonlySet<string> = new Set(["/", "/chat"]);
/** Metadata of the page for unknown paths. */
export const NOT_FOUND_PAGE: PageMetadata = {
  status: 404,
  title: "Not found",
  description: null,
  canonical: null,
  kind: "website",
  body: "",
  isPrerendered: false,
  markdownPath: null,
  audience: "everybody",
  card: null,
  breadcrumbs: [],
  schemaObject: null,
};

/** Lists the published posts or pages of the operator, newest first. */
export type ListPublished = (kind: "post" | "page") => Promise<readonly ListedContent[]>;

/** The names of the site, what is published there, and whether there is something to read under a link to a shared chat. */
export type PageFinderOptions = SiteNames & {
  listPublished: ListPublished;
  isSharedChat(token: string): Promise<boolean>;
};

const SHARED_CHAT_PAGE = "/shared-chats/:token";
const POST_PAGE = "/blog/*";
/** The page of the operator, which has the address that nothing else of the site has. */
const OWN_PAGE = "/:slug";

/** Returns a function from path to the metadata of its page. */
export function createPageFinder(
  site: BuiltSite,
  siteRepository: SiteRepository,
  { productName, publicUrl, listPublished, isSharedChat }: PageFinderOptions,
) {
  const match = createRouteMatcher(site.routes, { ignoreCase: false });
  const compile = createMarkdownCompiler();
  const textPages = new Map(site.pages.map((page) => [page.path, page]));

  /** Returns the metadata behind a route with parameters; null if there is no such page. */
  async function findOverrides({ route, params }: RouteMatch, path: string): Promise<PageMetadataOverrides | null> {
    const { owner = "", name = "", family = "", subTypeId, date = "", token = "" } = params;
    if (route.path.startsWith("/models/:owner/:name")) {
      const id = `${owner}/${name}`;
      const model = isModelId(id) ? await siteRepository.model(id) : null;
      return model && describeModelPage(model, publicUrl);
    }
    if (route.path.startsWith("/model-families/")) return describeFamilyPage(family, subTypeId);
    if (route.path === "/model-releases/:date")
      return (await siteRepository.countReleasedOn(date)) > 0
        ? { title: `Models of ${date}`, description: `Models that came out on ${date}.` }
        : null;
    if (route.path === SHARED_CHAT_PAGE) return (await isSharedChat(token)) ? { canonical: null } : null;
    if (route.path === POST_PAGE) return describePublished("post", params.rest);
    if (route.path === OWN_PAGE) return describePublished("page", params.slug);
    const text = textPages.get(path);
    if (text) return describeTextPage(text);
    if (path === "/blog") return describeBlog(await listPublished("post"));
    if (path === "/") return { schemaObject: createSchemaObject("WebSite", productName, "/") };
    return route.path.endsWith("/*") ? null : {};
  }

  async function describePublished(kind: "post" | "page", slug = ""): Promise<PageMetadataOverrides | null> {
    const entry = (await listPublished(kind)).find((published) => published.slug === slug);
    return entry ? describeContent(entry, compile) : null;
  }

  async function describeFamilyPage(
    family: string,
    subTypeId: string | undefined,
  ): Promise<PageMetadataOverrides | null> {
    const overrides =
      subTypeId === undefined ? await siteRepository.family(family) : await siteRepository.subType(family, subTypeId);
    if (!overrides) return null;
    const path = `/model-families/${"family_id" in overrides ? `${overrides.family_id}/` : ""}${overrides.id}`;
    const description = `Models of ${overrides.name}, and which answer now.`;
    return {
      title: overrides.name,
      description,
      canonical: path,
      card: { kind: "Model family", owner: null, title: overrides.name, text: description, facts: [] },
      breadcrumbs: [
        { name: "Models", path: "/models" },
        { name: overrides.name, path },
      ],
    };
  }

  return async (address: string): Promise<PageMetadata> => {
    const path = address.length > 1 ? address.replace(/\/+$/, "") : address;
    const matched = match(path);
    const overrides = matched && (await findOverrides(matched, path));
    if (!matched || !overrides) return NOT_FOUND_PAGE;
    const { title, description, access, layout } = matched.route;
    const isPublic = access === "public";
    const content = isPublic ? describePublicContent(site, layout, path, overrides.body) : describeOutline(site, path);
    return {
      ...NOT_FOUND_PAGE,
      status: 200,
      title,
      ...overrides,
      description: shorten(overrides.description ?? description),
      canonical: isPublic && overrides.canonical !== null ? (overrides.canonical ?? path) : null,
      ...content,
    };
  };
}

/**
 * Returns a function that compiles Markdown to HTML, and keeps what was read last. The compiler takes 40 MB of memory, so it is
 * loaded with the first text.
 */
function createMarkdownCompiler(): (markdown: string) => Promise<string> {
  const compiled = new LRUCache<string, string>({ max: 50 });
  return async (markdown) => {
    const { compileMarkdown } = await import("@feather/markdown/compile");
    const html = compiled.get(markdown) ?? toHtml(compileMarkdown(markdown).body);
    compiled.set(markdown, html);
    return html;
  };
}

/** The blog: search engines do not read it while it is empty. */
const describeBlog = (posts: readonly ListedContent[]): PageMetadataOverrides =>
  posts.length === 0 ? { canonical: null } : { body: renderPostList(posts) };

type PageContent = Pick<PageMetadata, "body" | "isPrerendered" | "audience">;

function describePublicContent(site: BuiltSite, layout: SiteRoute["layout"], path: string, body?: string): PageContent {
  const prerendered = site.documents[path];
  return {
    body: prerendered ?? renderInFrame(site, layout, body),
    isPrerendered: prerendered !== undefined,
    audience: FOR_VISITORS.has(path) ? "visitors" : "everybody",
  };
}

/** Returns the heading of a page behind the login as its content. The site replaces it by the whole page. */
function describeOutline({ outlines }: BuiltSite, path: string): PageContent {
  return { body: outlines[path] ?? "", isPrerendered: false, audience: "users" };
}

function renderInFrame({ frames }: BuiltSite, layout: SiteRoute["layout"], body = ""): string {
  return frames[layout]?.replace(FRAME_PLACEHOLDER, () => body) ?? body;
}

function shorten(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const plain = text.replaceAll(/\s+/g, " ").trim();
  return plain.length <= MAX_DESCRIPTION_LENGTH ? plain : `${plain.slice(0, MAX_DESCRIPTION_LENGTH - 1).trimEnd()}…`;
}
