import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** What the build writes for the server, and what goes out in place of others. */
const NOT_FILES = ["index.html", "site.json", "**/*.br", "**/*.gz"];

/** Serves the files of the build, compressed where the build has done so. */
export async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: NOT_FILES,
    setHeaders: (response, path) => {
      // Files below assets/ carry a hash in their names and never change.
      response.header("cache-control", path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
      response.header("vary", "accept-encoding");
      // The terminal program and the SDK, for `npm install`.
      if (path.endsWith(".tgz")) response.header("content-type", "application/gzip");
    },
  });
}
