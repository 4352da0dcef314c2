import type { FastifyInstance, FastifyReply } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import type { Sitemaps } from "./sitemaps.ts";

/** Serves robots.txt, sitemaps and feeds. */
export function serveSitemaps(app: FastifyInstance, sitemaps: Sitemaps): void {
  const sendXml = (reply: FastifyReply, text: string | null) => {
    if (text === null) throw errors.notFound();
    return reply.type("application/xml; charset=utf-8").header("cache-control", "public, max-age=3600").send(text);
  };
  app.get("/robots.txt", async (_request, reply) => reply.type("text/plain; charset=utf-8").send(sitemaps.robots()));
  app.get("/sitemap.xml", async (_request, reply) => sendXml(reply, await sitemaps.index()));
  app.get("/sitemaps/pages.xml", async (_request, reply) => sendXml(reply, await sitemaps.pages()));
  app.get<{ Params: { part: string } }>("/sitemaps/models-:part.xml", async (request, reply) => {
    const part = /^\d{1,6}$/.exec(request.params.part) ? Number(request.params.part) : -1;
    return sendXml(reply, part < 0 ? null : await sitemaps.models(part));
  });
  app.get("/blog/rss.xml", async (_request, reply) => sendXml(reply, sitemaps.posts()));
  app.get("/model-releases/rss.xml", async (_request, reply) => sendXml(reply, await sitemaps.releases()));
}
