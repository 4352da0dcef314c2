import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeToken, startFakeHub } from "@feather/testing/fake-hub";
import { DEMO_MODEL_FILE } from "../hosting/runtimes/built-in-models.ts";
import { createFakeEngines } from "./fake-engines.ts";
import { createTestServer, type TestServerOptions } from "./server.ts";

/** Path of the downloads in the API. */
export const PULLS = "/api/admin/store/pulls";
/** The bytes of a GGUF file that the engine can load. */
export const GGUF: Buffer = readFileSync(DEMO_MODEL_FILE);

type Options = Pick<TestServerOptions, "env" | "clock" | "freeBytes" | "isKnownArchitecture" | "llamaServer"> & {
  /** The tokens that the fake hub accepts. */
  hubTokens?: Record<string, FakeToken>;
};

/** Starts a hub without models, and a server with an administrator that downloads from it. */
export async function startModelStore({ hubTokens = {}, env, ...options }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "model-store-"));
  const engines = createFakeEngines();
  const hub = await startFakeHub([], hubTokens);
  const server = await createTestServer({
    ...options,
    startEngine: engines.start,
    env: { FEATHER_HUB_URL: hub.baseUrl, FEATHER_DATA_DIR: folder, ...env },
  });
  const admin = await server.signInAdmin();
  return {
    folder,
    engines,
    hub,
    server,
    admin,
    /** Requests a download of a model. */
    pull: (body: object) => server.call(PULLS, { token: admin.token, body }),
    async stop(): Promise<void> {
      await server.close();
      await hub.close();
      engines.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that downloads models from a hub. */
export type ModelStoreServer = Awaited<ReturnType<typeof startModelStore>>;
