import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Build output that only the server reads, and compressed variants. */
const EXCLUDED_FILES = ["index.html", "site.json", "content.json", "**/*.br", "**/*.gz"];

/** Serves the build's files, using precompressed variants where they exist. */
export async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: EXCLUDED_FILES,
    setHeaders: (response, path) => {
      // Files below assets/ have a hash in their names and never change.
      response.header("cache-control", path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
      response.header("vary", "accept-encoding");
      // Packages of the CLI and the SDK, for `npm install`.
      if (path.endsWith(".tgz")) response.header("content-type", "application/gzip");
    },
  });
}
