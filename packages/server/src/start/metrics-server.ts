import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PROMETHEUS_TYPE } from "../platform/core/metrics/exposition.ts";

/** Decides about access to the metrics, and renders them. */
export type MetricsPort = {
  mayReadMetrics(authorization: string | undefined): boolean;
  renderMetrics(): Promise<string>;
};
type Deps = MetricsPort & { port: number; host: string };

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 20;

/** Serves `/metrics` on a separate port. Throws an Error that names the setting if it cannot listen on it. */
export async function startMetricsServer({ port, host, mayReadMetrics, renderMetrics }: Deps) {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (request.url !== "/metrics") return send(response, 404, "There is only /metrics.\n");
    if (request.method !== "GET") return send(response, 405, "Use GET.\n");
    if (!mayReadMetrics(request.headers.authorization)) return send(response, 401, "Send FEATHER_METRICS_TOKEN.\n");
    renderMetrics().then(
      (text) => send(response, 200, text),
      () => send(response, 500, "The metrics could not be read.\n"),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, "listening").catch((cause: Error) => {
    throw new Error(`/metrics cannot be served on ${host}:${port}: ${cause.message}. See FEATHER_METRICS_PORT.`, {
      cause,
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": status === 200 ? PROMETHEUS_TYPE : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  });
  response.end(text);
}
