import send from "@fastify/send";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../../platform/core/http/rate-limits.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import type { OpenPodFile, PodFileReader } from "./pod-files.ts";

const BEARER = /^Bearer +(\S{1,200})$/i;
const UNAUTHORIZED = 401;
const RANGE_NOT_SATISFIABLE = 416;
/** The connection of a pod that reads nothing for this long is closed. */
const STALL_LIMIT_MS = 2 * MINUTE_MS;

/** Handlers of the files that pods download. */
export function podFileRoutes({ podFiles, limits }: { podFiles: PodFileReader; limits: RateLimiter }): Handlers {
  return {
    "deployments.files.get": async ({ path, request, reply }) => {
      const token = BEARER.exec(request.headers.authorization ?? "")?.[1] ?? null;
      const file = await podFiles.open(path, token).catch(async (error: unknown) => {
        // Only wrong tokens count towards the limit: a pod with the right token may have the address of one whose
        // deployment was deleted.
        if (error instanceof AppError && error.status === UNAUTHORIZED) await limits.consume("podFiles", request.ip);
        throw error;
      });
      return sendFile(file, request, reply);
    },
  };
}

/** Streams a file, or the requested range of it. */
async function sendFile(file: OpenPodFile, { raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { folder, name, sha256 } = file;
  reply.raw.once("close", () => file[Symbol.dispose]());
  const { statusCode, headers, stream, type } = await send(raw, encodeURIComponent(name), {
    root: folder,
    dotfiles: "allow",
    index: false,
    // `send` sets no validators of its own: the checksum is the ETag, since the content of a version never changes.
    etag: false,
    lastModified: false,
    cacheControl: false,
    contentType: false,
  });
  if (type !== "file" && statusCode !== RANGE_NOT_SATISFIABLE) throw errors.deployments.fileNotFound();
  reply.raw.setTimeout(STALL_LIMIT_MS, () => reply.raw.destroy());
  reply.code(statusCode).headers(headers).header("etag", `"${sha256}"`).type("application/octet-stream");
  return reply.send(statusCode === RANGE_NOT_SATISFIABLE ? "" : stream);
}
