import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import type { ListPublished } from "./find-page.ts";
import { renderLlmsText } from "./llms-text.ts";
import { type BuiltSite, fillInText } from "./manifest.ts";
import { type PageAccess, sendRedirect } from "./page-access.ts";
import type { SiteNames } from "./render-page.ts";

const MARKDOWN_EXTENSION = ".md";

type Options = SiteNames & { access: PageAccess; listPublished: ListPublished };

/**
 * Serves the docs as Markdown and `/llms.txt`, which lists them, with the address at which the reader reaches this server.
 * Who may not open a page gets neither its Markdown nor its line of the list.
 */
export function serveTexts(app: FastifyInstance, { llms, texts }: BuiltSite, options: Options): void {
  const { productName, publicUrl, access, listPublished } = options;
  const send = (request: FastifyRequest, reply: FastifyReply, type: string, text: string) =>
    reply
      .type(`${type}; charset=utf-8`)
      // Readers at another address, and others who are signed in, get another text, so caches must not share it.
      .headers({ "cache-control": "private, no-cache", vary: "cookie" })
      .send(fillInText(text, { productName, publicUrl: originFor(request, publicUrl) }));

  app.get("/llms.txt", async (request, reply) => {
    const decide = await access.forCaller(request);
    const posts = await listPublished("post");
    const text = renderLlmsText(llms, posts, (path) => decide(path).action === "show");
    return send(request, reply, "text/plain", text);
  });
  for (const [path, text] of Object.entries(texts)) {
    const pagePath = path.slice(0, -MARKDOWN_EXTENSION.length);
    app.get(path, async (request, reply) => {
      const decide = await access.forCaller(request);
      const decision = decide(pagePath);
      if (decision.action === "redirect") return sendRedirect(reply, decision);
      if (decision.action === "missing") throw errors.notFound();
      return send(request, reply, "text/markdown", text);
    });
  }
}

const HOST_PATTERN = /^[a-z\d.:[\]_-]+$/i;

/** The public URL for readers at its host, whatever a proxy in between speaks; otherwise the address of the request. */
function originFor({ protocol, host }: FastifyRequest, publicUrl: string): string {
  if (host === new URL(publicUrl).host || !HOST_PATTERN.test(host)) return publicUrl;
  return `${protocol}://${host}`;
}
