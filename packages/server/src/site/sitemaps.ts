import { pathOf } from "../insight/content/index.ts";
import type { ListPublished } from "./find-page.ts";
import type { BuiltSite } from "./manifest.ts";
import { escapeHtml } from "./markup.ts";
import type { SiteRepository } from "./site.repository.ts";

/** URLs in one sitemap; the protocol allows 50,000. */
const URLS_PER_SITEMAP = 10_000;
const FEED_LENGTH = 50;
/** A page that is empty, and not offered, while there are no posts. */
const BLOG_PATH = "/blog";
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** Returns whether visitors may open the page at a path. */
export type IsOpen = (path: string) => boolean;

type SitemapEntry = { path: string; changedAt?: Date };
type FeedItem = { title: string; text: string; path: string; date: Date };
type Deps = {
  site: BuiltSite;
  siteRepository: SiteRepository;
  listPublished: ListPublished;
  publicUrl: string;
  productName: string;
};

/** Creates robots.txt, sitemaps and RSS feeds. They name only pages that are open. */
export function createSitemaps({ site, siteRepository, listPublished, publicUrl, productName }: Deps) {
  const toUrl = (path: string) => escapeHtml(publicUrl + encodeURI(path));

  async function listEntries(): Promise<SitemapEntry[]> {
    const staticRoutes = site.routes.filter(({ path, access }) => access === "public" && !/[:*]/.test(path));
    const posts = await listPublished("post");
    const published = [...posts, ...(await listPublished("page"))].map((entry) => ({ path: pathOf(entry) }));
    const excludedPaths = new Set(["/login", "/register", "/reset-password", ...(posts.length > 0 ? [] : [BLOG_PATH])]);
    const families = (await siteRepository.listFamilies()).map(({ id }) => ({ path: `/model-families/${id}` }));
    const texts = site.pages.filter(({ path }) => !staticRoutes.some((route) => route.path === path));
    const open = staticRoutes.filter(({ path }) => !excludedPaths.has(path));
    return [...open, ...texts, ...published, ...families].map(({ path }) => ({ path }));
  }

  const renderUrlSet = (entries: readonly SitemapEntry[]) =>
    `${XML_DECLARATION}<urlset xmlns="${SITEMAP_NAMESPACE}">\n${entries.map(({ path, changedAt }) => `<url><loc>${toUrl(path)}</loc>${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ""}</url>`).join("\n")}\n</urlset>\n`;

  const renderFeed = (path: string, title: string, text: string, items: readonly FeedItem[]) =>
    `${XML_DECLARATION}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${escapeHtml(title)}</title><link>${escapeHtml(publicUrl)}</link><description>${escapeHtml(text)}</description>
<atom:link href="${toUrl(path)}" rel="self" type="application/rss+xml"/>
${items.map((item) => `<item><title>${escapeHtml(item.title)}</title><link>${toUrl(item.path)}</link><guid>${toUrl(item.path)}</guid><description>${escapeHtml(item.text)}</description><pubDate>${item.date.toUTCString()}</pubDate></item>`).join("\n")}
</channel></rss>
`;

  async function renderPosts(isOpen: IsOpen): Promise<string | null> {
    const posts = await listPublished("post");
    if (posts.length === 0) return null;
    const items = posts
      .map((post) => ({
        title: post.title,
        text: post.description,
        path: pathOf(post),
        date: post.publishedAt ?? new Date(0),
      }))
      .filter(({ path }) => isOpen(path))
      .slice(0, FEED_LENGTH);
    return renderFeed("/blog/rss.xml", `${productName}: posts`, `What is new at ${productName}, and why.`, items);
  }

  return {
    robots: () =>
      `User-agent: *\nDisallow: /api/\nDisallow: /account\nDisallow: /admin\nSitemap: ${publicUrl}/sitemap.xml\n`,

    /** Returns the sitemap index: one sitemap of pages, and as many of models as needed. */
    async index(): Promise<string> {
      const parts = Math.ceil((await siteRepository.countModels()) / URLS_PER_SITEMAP);
      const sitemaps = [
        "/sitemaps/pages.xml",
        ...Array.from({ length: parts }, (_, part) => `/sitemaps/models-${part}.xml`),
      ];
      return `${XML_DECLARATION}<sitemapindex xmlns="${SITEMAP_NAMESPACE}">\n${sitemaps.map((path) => `<sitemap><loc>${toUrl(path)}</loc></sitemap>`).join("\n")}\n</sitemapindex>\n`;
    },

    async pages(isOpen: IsOpen): Promise<string> {
      const entries = await listEntries();
      return renderUrlSet(entries.filter(({ path }) => isOpen(path)));
    },

    /** Returns one sitemap of models; null beyond the last one. */
    async models(part: number, isOpen: IsOpen): Promise<string | null> {
      const models = await siteRepository.listModels(URLS_PER_SITEMAP, part * URLS_PER_SITEMAP);
      if (models.length === 0) return null;
      const entries = models.map(({ id, updated_at }) => ({ path: toModelPath(id), changedAt: updated_at }));
      return renderUrlSet(entries.filter(({ path }) => isOpen(path)));
    },

    /** The feed of the blog; null while there are no posts. */
    posts: renderPosts,

    async releases(isOpen: IsOpen): Promise<string> {
      const models = (await siteRepository.listNewest(FEED_LENGTH)).filter(({ id }) => isOpen(toModelPath(id)));
      return renderFeed(
        "/model-releases/rss.xml",
        `${productName}: models`,
        "Models as they come out.",
        models.map(({ id, description, released_date }) => ({
          title: id,
          text: description,
          path: toModelPath(id),
          date: new Date(released_date ?? 0),
        })),
      );
    },
  };
}

const toModelPath = (id: string) => `/models/${id}`;

export type Sitemaps = ReturnType<typeof createSitemaps>;
