import type { FastifyInstance } from "fastify";
import type { RuleLookup } from "../accounts/route-rules/index.ts";
import type { Authenticator } from "../platform/core/auth/authenticator.ts";
import { createPageFinder, NOT_FOUND_PAGE, type PageFinderOptions } from "./find-page.ts";
import { type BuiltSite, readBuiltSite } from "./manifest.ts";
import { createPageAccess } from "./page-access.ts";
import { createPageGuard } from "./page-guard.ts";
import { renderPage } from "./render-page.ts";
import { serveFiles } from "./serve-files.ts";
import { type Pages, servePages } from "./serve-pages.ts";
import { createPageImageLookup, serveShareImages } from "./serve-share-images.ts";
import { serveSitemaps } from "./serve-sitemaps.ts";
import { serveTexts } from "./serve-texts.ts";
import { createImageRenderer } from "./share/image-renderer.ts";
import { createShareImages } from "./share/share-images.ts";
import type { SiteRepository } from "./site.repository.ts";
import { createSitemaps } from "./sitemaps.ts";

/** The dependencies of serving the site. */
export type SiteOptions = PageFinderOptions & {
  folder: string;
  siteRepository: SiteRepository;
  rulesFor: RuleLookup;
  authenticator: Authenticator;
};

/** Serves the built site: its files, and pages for all other paths. */
export async function serveSite(app: FastifyInstance, settings: SiteOptions): Promise<void> {
  const site = readBuiltSite(settings.folder, settings);
  if (site) await serveFiles(app, site.folder);
  servePages(app, site && createPages(app, site, settings));
}

function createPages(app: FastifyInstance, site: BuiltSite, settings: SiteOptions): Pages {
  const { siteRepository, productName, rulesFor, authenticator } = settings;
  const access = createPageAccess(createPageGuard(site, rulesFor), authenticator);
  serveSitemaps(app, createSitemaps({ site, ...settings }), access);
  serveTexts(app, site, { ...settings, access });
  const findPage = createPageFinder(site, siteRepository, settings);
  const images = createShareImages(createImageRenderer(), productName);
  serveShareImages(app, { images, findPage, access });
  const imageOf = createPageImageLookup({ images, productName });
  const render = async (path: string, { isVisitor, isMissing }: { isVisitor: boolean; isMissing: boolean }) => {
    const page = isMissing ? NOT_FOUND_PAGE : await findPage(path);
    const hasPosts = await hasPublishedPosts(app, settings);
    return { page, html: renderPage(site.shell, page, settings, { image: imageOf(page), isVisitor, hasPosts }) };
  };
  return { render, access };
}

/** Whether the blog has posts. While that cannot be read, pages are served without links to it. */
async function hasPublishedPosts(app: FastifyInstance, { listPublished }: SiteOptions): Promise<boolean> {
  try {
    return (await listPublished("post")).length > 0;
  } catch (error) {
    app.log.warn({ err: error }, "pages are served without links to the blog, whose posts cannot be read");
    return false;
  }
}
