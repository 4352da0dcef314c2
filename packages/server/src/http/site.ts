import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { notFound } from "../shared/errors.ts";
import { isOpenAIPath, renderError } from "./error-envelopes.ts";

/** Where the library asks; PostHog's own service answers at several names. */
function originsOf({ hostname, origin }: URL): string {
  return hostname.endsWith(".posthog.com") ? "https://*.posthog.com" : origin;
}

/** What pages of the site may load and ask: our own, and the analytics server where there is one. Its scripts never run. */
export function contentSecurityPolicy(analyticsHost: string | undefined): string {
  const connect = analyticsHost === undefined ? "" : ` ${originsOf(new URL(analyticsHost))}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // positions of menus and dialogs are set as style attributes
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${connect}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Serves the built site: its files as they are, and its page for every other address that a person may open. */
export async function serveSite(
  app: FastifyInstance,
  folder: string,
  { productName, analyticsHost }: { productName: string; analyticsHost: string | undefined },
): Promise<void> {
  const policy = contentSecurityPolicy(analyticsHost);
  const built = existsSync(join(folder, "index.html"));
  const page = built
    ? readFileSync(join(folder, "index.html"), "utf8").replaceAll("%PRODUCT_NAME%", escapeHtml(productName))
    : null;
  if (built)
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      setHeaders: (response, path) => {
        // Files below assets/ carry a hash in their names and never change.
        response.header(
          "cache-control",
          path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        );
      },
    });
  app.setNotFoundHandler((request, reply) => {
    const [path = "/"] = request.url.split("?");
    const isPage =
      request.method === "GET" &&
      !path.startsWith("/api") &&
      !/\.[a-z0-9]{2,5}$/i.test(path.replace(/^\/models\/.*/, ""));
    if (page === null || !isPage) {
      const error = isOpenAIPath(path)
        ? notFound("There is no such call. The reference lists them all: /api/openapi.json")
        : notFound();
      return reply
        .code(404)
        .type("application/json")
        .send(JSON.stringify(renderError(error, path, request.id)));
    }
    return reply
      .type("text/html; charset=utf-8")
      .headers({
        "content-security-policy": policy,
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-frame-options": "DENY",
        "cache-control": "no-cache",
      })
      .send(page);
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
