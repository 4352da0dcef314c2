import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { isOpenAIPath, renderError } from "../http/error-envelopes.ts";
import { notFound } from "../shared/errors.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { type BuiltSite, readBuiltSite } from "./manifest.ts";
import { createMaps, type Maps } from "./maps.ts";
import { createPageFacts, type PageFacts } from "./page-facts.ts";
import { renderPage } from "./render-page.ts";
import type { SiteRepository } from "./site.repository.ts";

export type SiteSettings = {
  folder: string;
  productName: string;
  publicUrl: string;
  analyticsHost: string | undefined;
  rows: SiteRepository;
};

/** Serves the built site: its files as they are, and its page for every other address that a person may open. */
export async function serveSite(app: FastifyInstance, settings: SiteSettings): Promise<void> {
  const site = readBuiltSite(settings.folder);
  if (site) {
    await serveFiles(app, site.folder);
    serveMaps(app, createMaps({ site, ...settings }));
  }
  const pageOf = site && createPage(site, settings);
  const headers = pageHeaders(settings);
  app.setNotFoundHandler(async (request, reply) => {
    const [path = "/"] = request.url.split("?");
    if (pageOf === null || request.method !== "GET" || path.startsWith("/api")) return refuse(reply, path, request.id);
    const { facts, html } = await pageOf(path);
    if (facts.status === 404 && FILE.test(path)) return refuse(reply, path, request.id);
    return reply.code(facts.status).type("text/html; charset=utf-8").headers(headers).send(html);
  });
}

/** What is asked for like a file that the build does not have; names of models may look so too. */
const FILE = /\.[a-z0-9]{2,5}$/i;

function refuse(reply: FastifyReply, path: string, requestId: string) {
  const error = isOpenAIPath(path)
    ? notFound("There is no such call. The reference lists them all: /api/openapi.json")
    : notFound();
  return reply
    .code(404)
    .type("application/json")
    .send(JSON.stringify(renderError(error, path, requestId)));
}

function createPage(site: BuiltSite, settings: SiteSettings) {
  const factsOf = createPageFacts(site, settings.rows);
  return async (path: string): Promise<{ facts: PageFacts; html: string }> => {
    const facts = await factsOf(path);
    return { facts, html: renderPage(site.shell, facts, settings) };
  };
}

function pageHeaders({ publicUrl, analyticsHost }: SiteSettings): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(analyticsHost),
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    setHeaders: (response, path) => {
      // Files below assets/ carry a hash in their names and never change.
      response.header("cache-control", path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}

function serveMaps(app: FastifyInstance, maps: Maps): void {
  const xml = (reply: FastifyReply, text: string | null) =>
    text === null
      ? refuse(reply, "/sitemaps", reply.request.id)
      : reply.type("application/xml; charset=utf-8").header("cache-control", "public, max-age=3600").send(text);
  app.get("/robots.txt", async (_request, reply) => reply.type("text/plain; charset=utf-8").send(maps.robots()));
  app.get("/sitemap.xml", async (_request, reply) => xml(reply, await maps.index()));
  app.get("/sitemaps/pages.xml", async (_request, reply) => xml(reply, await maps.pages()));
  app.get<{ Params: { part: string } }>("/sitemaps/models-:part.xml", async (request, reply) => {
    const part = /^\d{1,6}$/.exec(request.params.part) ? Number(request.params.part) : -1;
    return xml(reply, part < 0 ? null : await maps.models(part));
  });
  app.get("/blog/rss.xml", async (_request, reply) => xml(reply, maps.posts()));
  app.get("/model-releases/rss.xml", async (_request, reply) => xml(reply, await maps.releases()));
}
