import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import type { PageAccess } from "./page-access.ts";
import type { IsOpen, Sitemaps } from "./sitemaps.ts";

/** Serves robots.txt, and sitemaps and feeds of the pages that visitors may open. */
export function serveSitemaps(app: FastifyInstance, sitemaps: Sitemaps, access: PageAccess): void {
  const isOpenFor = async (request: FastifyRequest): Promise<IsOpen> => {
    const decide = await access.forVisitors(request);
    return (path) => decide(path).action === "show";
  };
  const sendXml = (reply: FastifyReply, text: string | null) => {
    if (text === null) throw errors.notFound();
    return reply.type("application/xml; charset=utf-8").header("cache-control", "public, max-age=3600").send(text);
  };
  app.get("/robots.txt", async (_request, reply) => reply.type("text/plain; charset=utf-8").send(sitemaps.robots()));
  app.get("/sitemap.xml", async (_request, reply) => sendXml(reply, await sitemaps.index()));
  app.get("/sitemaps/pages.xml", async (request, reply) =>
    sendXml(reply, await sitemaps.pages(await isOpenFor(request))),
  );
  app.get<{ Params: { part: string } }>("/sitemaps/models-:part.xml", async (request, reply) => {
    const part = /^\d{1,6}$/.exec(request.params.part) ? Number(request.params.part) : -1;
    return sendXml(reply, part < 0 ? null : await sitemaps.models(part, await isOpenFor(request)));
  });
  app.get("/blog/rss.xml", async (request, reply) => sendXml(reply, await sitemaps.posts(await isOpenFor(request))));
  app.get("/model-releases/rss.xml", async (request, reply) =>
    sendXml(reply, await sitemaps.releases(await isOpenFor(request))),
  );
}
