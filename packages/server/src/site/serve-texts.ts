import type { FastifyInstance, FastifyRequest } from "fastify";
import { type BuiltSite, fillInText } from "./manifest.ts";
import type { SiteNames } from "./render-page.ts";

/** Serves `/llms.txt` and the docs as Markdown, with the address at which the reader reaches this server. */
export function serveTexts(app: FastifyInstance, { texts }: BuiltSite, { productName, publicUrl }: SiteNames): void {
  for (const [path, text] of Object.entries(texts)) {
    const type = path.endsWith(".md") ? "text/markdown" : "text/plain";
    app.get(path, async (request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        // Readers at another address get another text, so caches must not share it.
        .header("cache-control", "private, no-cache")
        .send(fillInText(text, { productName, publicUrl: originFor(request, publicUrl) })),
    );
  }
}

const HOST_PATTERN = /^[a-z\d.:[\]_-]+$/i;

/** The public URL for readers at its host, whatever a proxy in between speaks; otherwise the address of the request. */
function originFor({ protocol, host }: FastifyRequest, publicUrl: string): string {
  if (host === new URL(publicUrl).host || !HOST_PATTERN.test(host)) return publicUrl;
  return `${protocol}://${host}`;
}
