import type { FastifyInstance } from "fastify";
import { type BuiltSite, readBuiltSite } from "./manifest.ts";
import { createMaps } from "./maps.ts";
import { createPageFacts } from "./page-facts.ts";
import { renderPage, type SiteNames } from "./render-page.ts";
import { serveFiles } from "./serve-files.ts";
import { serveMaps } from "./serve-maps.ts";
import { servePages } from "./serve-pages.ts";
import { createImageOf, serveShareImages } from "./serve-share-images.ts";
import { createArtist } from "./share/artist.ts";
import { createShareImages } from "./share/share-images.ts";
import type { SiteRepository } from "./site.repository.ts";

export type SiteSettings = SiteNames & { folder: string; rows: SiteRepository };

/** Serves the built site: its files as they are, and its page for every other address that a person may open. */
export async function serveSite(app: FastifyInstance, settings: SiteSettings): Promise<void> {
  const site = readBuiltSite(settings.folder, settings);
  if (site) await serveFiles(app, site.folder);
  servePages(app, site && servePagesOf(app, site, settings));
}

function servePagesOf(app: FastifyInstance, site: BuiltSite, settings: SiteSettings) {
  const { rows, productName } = settings;
  serveMaps(app, createMaps({ site, ...settings }));
  const factsOf = createPageFacts(site, rows, settings);
  const images = createShareImages(createArtist(), productName);
  serveShareImages(app, { images, factsOf, productName });
  const imageOf = createImageOf({ images, productName });
  return async (path: string, visitor: boolean) => {
    const facts = await factsOf(path);
    return { facts, html: renderPage(site.shell, facts, settings, { image: imageOf(facts), visitor }) };
  };
}
