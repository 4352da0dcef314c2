import { freePort } from "@feather/testing/free-port";
import pino, { type Logger } from "pino";
import { readStartSettings } from "../config/settings.ts";
import { NO_CONVERTER, RUNTIMES_WITHOUT_GPU } from "../hosting/runtimes/index.ts";
import type { Modules } from "../modules.ts";
import { startPlatform } from "../start/platform.ts";
import { createStops } from "../start/stops.ts";

/**
 * Starts a server in this process as `npm start` does, on the database that `env` names. `ready` resolves with the token of
 * its set-up link, or null if there is an admin, and rejects if the start fails. `stop` ends the server in every case.
 */
export async function beginTestStart(
  env: Record<string, string>,
  folder: string,
  log: Logger = pino({ level: "silent" }),
) {
  const port = await freePort();
  const stops = createStops();
  const { signal } = new AbortController();
  const lost: Error[] = [];
  let ready: { platform: Modules; setupToken: string | null } | null = null;
  const variables = {
    FEATHER_DATA_DIR: folder,
    FEATHER_PORT: String(port),
    FEATHER_DISCOVER: "off",
    FEATHER_STARTER_MODEL: "off",
    FEATHER_COLD_WAIT: "0",
    ...env,
  };
  const starting = startPlatform({
    settings: readStartSettings(variables, folder),
    env: variables,
    restart: null,
    engineSandbox: { state: "off" },
    runtimeStates: RUNTIMES_WITHOUT_GPU,
    converter: NO_CONVERTER,
    log,
    root: folder,
    stops,
    requested: signal,
    report: () => {},
    reportReady: (platform, setupToken) => {
      ready = { platform, setupToken };
    },
    onDatabaseLost: (error) => lost.push(error),
    worker: null,
  });
  starting.catch(() => {}); // `ready` rejects too
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves with the reason why the server had to stop, such as another server that took over its database. */
    lost,
    ready: starting.then(() => ready?.setupToken ?? null),
    platform: () => ready?.platform ?? null,
    stop: () => stops.stopAll(signal),
  };
}
