import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { configFolder, feather, type RunSettings, standIn } from "./world.ts";

/**
 * Starts a stub server for the tests of a file, and returns functions that run command lines against it with an API key.
 * The caller is an admin unless the routes say otherwise.
 */
export function session(routes: Parameters<typeof standIn>[0]) {
  let server: Awaited<ReturnType<typeof standIn>>;
  let folder: ReturnType<typeof configFolder>;
  beforeAll(async () => {
    server = await standIn({ "GET /admin/settings": () => ({ body: { items: [] } }), ...routes });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    folder = configFolder();
    server.asked.length = 0;
  });
  afterEach(() => folder.remove());

  const variables = () => ({ FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, LANG: "C.UTF-8" });
  const run = (line: string | readonly string[], settings: RunSettings = {}) =>
    feather(typeof line === "string" ? line.split(" ") : line, variables(), {
      ...settings,
      env: { FEATHER_API_KEY: "rc_key", ...settings.env },
    });
  return {
    /** Runs a command line in a pipe. */
    run,
    /** Runs a command line at a terminal without colour. */
    seen: (line: string | readonly string[], settings: RunSettings = {}) =>
      run(line, { tty: true, columns: 110, ...settings, env: { NO_COLOR: "1", ...settings.env } }),
    /** Runs a command line without a credential. */
    anonymous: (line: string) => feather(line.split(" "), variables()),
    /** Returns the requests that the server received in this test. */
    asked: () => server.asked,
  };
}
