import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createConfigFolder, type RunOptions, runCli } from "./run-cli.ts";

/**
 * Starts a stub server for the tests of a file, and returns functions that run command lines against it with an API key.
 * The caller is an admin unless the routes say otherwise.
 */
export function setupCli(routes: Parameters<typeof startStubServer>[0]) {
  let server: StubServer;
  let configFolder: ReturnType<typeof createConfigFolder>;
  beforeAll(async () => {
    server = await startStubServer({ "GET /admin/settings": () => ({ body: { items: [] } }), ...routes });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    configFolder = createConfigFolder();
    server.requests.length = 0;
  });
  afterEach(() => configFolder.remove());

  const variables = () => ({ FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: configFolder.dir, LANG: "C.UTF-8" });
  const run = (line: string | readonly string[], settings: RunOptions = {}) =>
    runCli(typeof line === "string" ? line.split(" ") : line, variables(), {
      ...settings,
      env: { FEATHER_API_KEY: "rc_key", ...settings.env },
    });
  return {
    /** Runs a command line in a pipe. */
    run,
    /** Runs a command line at a terminal without colour. */
    runInteractive: (line: string | readonly string[], settings: RunOptions = {}) =>
      run(line, { tty: true, columns: 110, ...settings, env: { NO_COLOR: "1", ...settings.env } }),
    /** Runs a command line without a credential. */
    runAnonymous: (line: string) => runCli(line.split(" "), variables()),
    /** Returns the requests that the server received in this test. */
    requests: () => server.requests,
  };
}
