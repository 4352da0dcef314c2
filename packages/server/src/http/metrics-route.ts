import type { FastifyInstance } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import { PROMETHEUS_TYPE } from "../platform/core/metrics/exposition.ts";

type Deps = {
  mayReadMetrics(authorization: string | undefined): boolean;
  renderMetrics(): Promise<string>;
};

/** Serves `/metrics` on the site's port, for requests with the token. */
export function serveMetrics(app: FastifyInstance, { mayReadMetrics, renderMetrics }: Deps): void {
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request.headers.authorization)) throw errors.unauthorized("Send FEATHER_METRICS_TOKEN.");
    return reply
      .header("cache-control", "no-store")
      .type(PROMETHEUS_TYPE)
      .send(await renderMetrics());
  });
}
