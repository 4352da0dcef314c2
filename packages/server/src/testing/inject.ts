import type { FastifyInstance } from "fastify";
import lightMyRequest, { type InjectOptions, type Response } from "light-my-request";

/** Sends a request to a server that does not listen: to Fastify, or to what answers calls to models before it. */
export async function inject(app: FastifyInstance, options: InjectOptions): Promise<Response> {
  await app.ready();
  return lightMyRequest((request, response) => void app.server.emit("request", request, response), options);
}
