import type { FastifyInstance } from "fastify";
import type { Authenticator } from "../modules/identity/authenticator.ts";
import type { RuleLookup } from "../modules/route-rules/rule-lookup.ts";
import { type BuiltSite, readBuiltSite } from "./manifest.ts";
import { createMaps } from "./maps.ts";
import { createPageFacts, NOTHING } from "./page-facts.ts";
import { createPageGuard } from "./page-guard.ts";
import { renderPage, type SiteNames } from "./render-page.ts";
import { serveFiles } from "./serve-files.ts";
import { serveMaps } from "./serve-maps.ts";
import { type Pages, servePages } from "./serve-pages.ts";
import { createImageOf, serveShareImages } from "./serve-share-images.ts";
import { createArtist } from "./share/artist.ts";
import { createShareImages } from "./share/share-images.ts";
import type { SiteRepository } from "./site.repository.ts";

/** What serving the site needs. */
export type SiteSettings = SiteNames & {
  folder: string;
  rows: SiteRepository;
  rulesFor: RuleLookup;
  authenticator: Pick<Authenticator, "authenticate">;
};

/** Serves the built site: its files, and pages for all other paths. */
export async function serveSite(app: FastifyInstance, settings: SiteSettings): Promise<void> {
  const site = readBuiltSite(settings.folder, settings);
  if (site) await serveFiles(app, site.folder);
  servePages(app, site && servePagesOf(app, site, settings));
}

function servePagesOf(app: FastifyInstance, site: BuiltSite, settings: SiteSettings): Pages {
  const { rows, productName, rulesFor, authenticator } = settings;
  serveMaps(app, createMaps({ site, ...settings }));
  const factsOf = createPageFacts(site, rows, settings);
  const images = createShareImages(createArtist(), productName);
  serveShareImages(app, { images, factsOf, productName });
  const imageOf = createImageOf({ images, productName });
  const draw = async (path: string, { visitor, missing }: { visitor: boolean; missing: boolean }) => {
    const facts = missing ? NOTHING : await factsOf(path);
    return { facts, html: renderPage(site.shell, facts, settings, { image: imageOf(facts), visitor }) };
  };
  return { draw, guard: createPageGuard(site.routes, rulesFor), authenticator };
}
