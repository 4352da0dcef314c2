/** Gateways of others in front of the same backend, for comparison; each only where it is installed. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@feather/testing/free-port";
import type { Target } from "./load.ts";

/** A running gateway. */
export type OtherGateway = { name: string; target: Target; pid: number; stop(): void };

const START_TIMEOUT_MS = 20_000;
const PATH_FOLDERS = (process.env.PATH ?? "").split(delimiter);

/** Starts each that is found in PATH in front of this backend. */
export async function startOtherGateways(backendUrl: string, path: string): Promise<OtherGateway[]> {
  const started = [await startNginx(backendUrl, path), await startPortkey(backendUrl, path)];
  return started.filter((gateway) => gateway !== undefined);
}

async function startNginx(backendUrl: string, path: string): Promise<OtherGateway | undefined> {
  const program = findFile(["nginx"]);
  if (program === undefined) return undefined;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "feather-bench-nginx-"));
  const config = join(folder, "nginx.conf");
  writeFileSync(config, formatNginxConfig(folder, new URL(backendUrl).host, port));
  const child = spawn(program, ["-c", config, "-e", join(folder, "error.log")], { stdio: "inherit" });
  child.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return wrap("nginx", child, port, path, {});
}

/** nginx as people set it up before a model server: connections kept, events passed on at once. */
function formatNginxConfig(folder: string, backend: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `
    daemon off; worker_processes 1; pid ${join(folder, "nginx.pid")};
    events { worker_connections 4096; }
    http {
      access_log off; keepalive_requests 1000000000; ${temporary.join(" ")}
      upstream backend { server ${backend}; keepalive 512; keepalive_requests 1000000000; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off;
        }
      }
    }`;
}

async function startPortkey(backendUrl: string, path: string): Promise<OtherGateway | undefined> {
  const program = findFile([
    "../@portkey-ai/gateway/build/start-server.js",
    "../lib/node_modules/@portkey-ai/gateway/build/start-server.js",
  ]);
  if (program === undefined) return undefined;
  const port = await freePort();
  const child = spawn(process.execPath, [program, `--port=${port}`, "--headless"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const headers = {
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${backendUrl}/v1`,
    authorization: "Bearer none",
  };
  return wrap("@portkey-ai/gateway", child, port, path, headers);
}

/** Returns the first of these files that exists, relative to the folders of PATH. */
function findFile(names: readonly string[]): string | undefined {
  return PATH_FOLDERS.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file));
}

async function wrap(
  name: string,
  child: ChildProcess,
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<OtherGateway> {
  for (const deadline = performance.now() + START_TIMEOUT_MS; !(await isListening(port)); await sleep(50))
    if (performance.now() > deadline || child.exitCode !== null) throw new Error(`${name} did not start.`);
  return {
    name,
    target: { url: `http://127.0.0.1:${port}${path}`, headers },
    pid: child.pid ?? 0,
    stop: () => void child.kill(),
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
