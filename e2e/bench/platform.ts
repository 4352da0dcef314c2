import { spawn } from "node:child_process";
import { freePort } from "../support/free-port.ts";

export const ADMIN = { email: "bench@example.com", password: "measured against a reference" };

/** Starts the platform and says after how many milliseconds it was ready. */
export async function startPlatform(
  dataDir: string,
  backends: string,
): Promise<{ baseUrl: string; readyMs: number; stop(): Promise<void> }> {
  const port = await freePort();
  const env = {
    ...process.env,
    FEATHER_PORT: String(port),
    FEATHER_DATA_DIR: dataDir,
    FEATHER_DISCOVER: "off",
    FEATHER_RATE_LIMITS: "off",
    FEATHER_LOG_LEVEL: "error",
    FEATHER_BACKENDS: backends,
    FEATHER_ADMIN_EMAIL: ADMIN.email,
    FEATHER_ADMIN_PASSWORD: ADMIN.password,
  };
  const began = performance.now();
  const server = spawn(process.execPath, ["packages/server/src/main.ts"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await new Promise<void>((resolve) =>
    server.stdout.on("data", (chunk: Buffer) => chunk.toString().includes("is ready") && resolve()),
  );
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    readyMs: performance.now() - began,
    async stop() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}
