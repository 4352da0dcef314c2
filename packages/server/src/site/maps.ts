import type { BuiltSite } from "./manifest.ts";
import { escapeHtml } from "./markup.ts";
import type { SiteRepository } from "./site.repository.ts";

/** URLs in one sitemap; the protocol allows 50,000. */
const PER_MAP = 10_000;
const FEED_LENGTH = 50;
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";

type Place = { path: string; changedAt?: Date };
type Item = { title: string; text: string; path: string; date: Date };
type Deps = { site: BuiltSite; rows: SiteRepository; publicUrl: string; productName: string };

/** Creates robots.txt, sitemaps and RSS feeds. */
export function createMaps({ site, rows, publicUrl, productName }: Deps) {
  const urlOf = (path: string) => escapeHtml(publicUrl + encodeURI(path));
  const posts = site.pages
    .filter(({ kind }) => kind === "blog")
    .toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));

  async function places(): Promise<Place[]> {
    const fixed = site.routes.filter(({ path, access }) => access === "public" && !/[:*]/.test(path));
    const quiet = new Set(["/login", "/register", "/reset-password"]);
    const families = (await rows.families()).map(({ id }) => ({ path: `/model-families/${id}` }));
    const texts = site.pages.filter(({ path }) => !fixed.some((route) => route.path === path));
    return [...fixed.filter(({ path }) => !quiet.has(path)), ...texts, ...families].map(({ path }) => ({ path }));
  }

  const urlSet = (found: readonly Place[]) =>
    `${XML}<urlset xmlns="${SITEMAP}">\n${found.map(({ path, changedAt }) => `<url><loc>${urlOf(path)}</loc>${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ""}</url>`).join("\n")}\n</urlset>\n`;

  const feed = (path: string, title: string, text: string, items: readonly Item[]) =>
    `${XML}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${escapeHtml(title)}</title><link>${escapeHtml(publicUrl)}</link><description>${escapeHtml(text)}</description>
<atom:link href="${urlOf(path)}" rel="self" type="application/rss+xml"/>
${items.map((item) => `<item><title>${escapeHtml(item.title)}</title><link>${urlOf(item.path)}</link><guid>${urlOf(item.path)}</guid><description>${escapeHtml(item.text)}</description><pubDate>${item.date.toUTCString()}</pubDate></item>`).join("\n")}
</channel></rss>
`;

  return {
    robots: () =>
      `User-agent: *\nDisallow: /api/\nDisallow: /account\nDisallow: /admin\nSitemap: ${publicUrl}/sitemap.xml\n`,

    /** The sitemap index: one sitemap of pages, and as many of models as needed. */
    async index(): Promise<string> {
      const parts = Math.ceil((await rows.countModels()) / PER_MAP);
      const maps = [
        "/sitemaps/pages.xml",
        ...Array.from({ length: parts }, (_, part) => `/sitemaps/models-${part}.xml`),
      ];
      return `${XML}<sitemapindex xmlns="${SITEMAP}">\n${maps.map((path) => `<sitemap><loc>${urlOf(path)}</loc></sitemap>`).join("\n")}\n</sitemapindex>\n`;
    },

    pages: async () => urlSet(await places()),

    /** One sitemap of models; null beyond the last one. */
    async models(part: number): Promise<string | null> {
      const found = await rows.models(PER_MAP, part * PER_MAP);
      if (found.length === 0) return null;
      return urlSet(found.map(({ id, updated_at }) => ({ path: `/models/${id}`, changedAt: updated_at })));
    },

    posts: () =>
      feed(
        "/blog/rss.xml",
        `${productName}: posts`,
        `What is new at ${productName}, and why.`,
        posts.map(({ title, description, path, date }) => ({
          title,
          text: description,
          path,
          date: new Date(date ?? 0),
        })),
      ),

    async releases(): Promise<string> {
      const models = await rows.newest(FEED_LENGTH);
      return feed(
        "/model-releases/rss.xml",
        `${productName}: models`,
        "Models as they come out.",
        models.map(({ id, description, released_date }) => ({
          title: id,
          text: description,
          path: `/models/${id}`,
          date: new Date(released_date ?? 0),
        })),
      );
    },
  };
}

export type Maps = ReturnType<typeof createMaps>;
