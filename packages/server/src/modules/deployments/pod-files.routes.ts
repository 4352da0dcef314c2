import send from "@fastify/send";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, errors } from "../../core/errors/index.ts";
import type { Handlers } from "../../core/http/handlers.ts";
import type { RateLimiter } from "../../core/http/rate-limits.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { OpenPodFile, PodFileReader } from "./pod-files.ts";

const BEARER = /^Bearer +(\S{1,200})$/i;
const UNAUTHORIZED = 401;
const RANGE_NOT_SATISFIABLE = 416;
/** A pod that takes nothing of a file for so long has gone. */
const STALL_LIMIT_MS = 2 * MINUTE_MS;

/** Handlers of what pods read. */
export function podFileRoutes({ podFiles, limits }: { podFiles: PodFileReader; limits: RateLimiter }): Handlers {
  return {
    "deployments.files.get": async ({ path, request, reply }) => {
      const token = BEARER.exec(request.headers.authorization ?? "")?.[1] ?? null;
      const file = await podFiles.open(path, token).catch(async (error: unknown) => {
        // Only wrong tokens count: pods with the right one may have the address of a pod whose deployment is gone.
        if (error instanceof AppError && error.status === UNAUTHORIZED) await limits.consume("podFiles", request.ip);
        throw error;
      });
      return sendFile(file, request, reply);
    },
  };
}

/** Streams a file, or the range of it that is asked for. */
async function sendFile(file: OpenPodFile, { raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { folder, name, sha256 } = file;
  reply.raw.once("close", () => file[Symbol.dispose]());
  const { statusCode, headers, stream, type } = await send(raw, encodeURIComponent(name), {
    ...{ root: folder, dotfiles: "allow", index: false },
    // A version of a file never changes, and what knows its checksum needs no other mark.
    ...{ etag: false, lastModified: false, cacheControl: false, contentType: false },
  });
  if (type !== "file" && statusCode !== RANGE_NOT_SATISFIABLE) throw errors.deployments.fileNotFound();
  reply.raw.setTimeout(STALL_LIMIT_MS, () => reply.raw.destroy());
  reply.code(statusCode).headers(headers).header("etag", `"${sha256}"`).type("application/octet-stream");
  return reply.send(statusCode === RANGE_NOT_SATISFIABLE ? "" : stream);
}
