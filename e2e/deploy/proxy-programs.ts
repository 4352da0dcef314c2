import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "@feather/testing/wait-for";

const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));
/** The name in the shipped files. */
export const HOST = "models.example.com";

/** The address of a proxy and its needs: `folder` holds its files, `upstream` is the server's port. */
export type ProxySetup = { folder: string; port: number; redirectPort: number; upstream: number };

/** A program that the repository ships a configuration for. */
export type ProxyProgram = {
  name: string;
  /** Prints its version; used to find out whether it is installed. */
  versionArgs: readonly string[];
  /** The shipped file with this test's ports, certificate and upstream, in the folder. Returns its path. */
  configure(setup: ProxySetup): string;
  checkArgs(config: string): readonly string[];
  runArgs(config: string): readonly string[];
};

const nginx: ProxyProgram = {
  name: "nginx",
  versionArgs: ["-v"],
  configure({ folder, port, redirectPort, upstream }) {
    const site = replaceAll(readFileSync(join(DEPLOY, "nginx/feather.conf"), "utf8"), [
      [/^ *listen \[::\].*\n/gm, ""],
      ["listen 80;", `listen 127.0.0.1:${redirectPort};`],
      ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
      ["/etc/ssl/feather/fullchain.pem", join(folder, "certificate.pem")],
      ["/etc/ssl/feather/privkey.pem", join(folder, "key.pem")],
      ["server 127.0.0.1:4000;", `server 127.0.0.1:${upstream};`],
    ]);
    writeFileSync(join(folder, "site.conf"), site);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const config = join(folder, "nginx.conf");
    writeFileSync(
      config,
      `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
      events {}
      http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }`,
    );
    return config;
  },
  checkArgs: (config) => ["-t", "-e", "stderr", "-c", config],
  runArgs: (config) => ["-e", "stderr", "-c", config],
};

const caddy: ProxyProgram = {
  name: "caddy",
  versionArgs: ["version"],
  configure({ folder, port, redirectPort, upstream }) {
    const site = replaceAll(readFileSync(join(DEPLOY, "caddy/Caddyfile"), "utf8"), [
      [`${HOST} {`, `${HOST} {\n\tbind 127.0.0.1\n\ttls ${folder}/certificate.pem ${folder}/key.pem`],
      ["127.0.0.1:4000", `127.0.0.1:${upstream}`],
    ]);
    const config = join(folder, "Caddyfile");
    const options = `admin off\n\thttp_port ${redirectPort}\n\thttps_port ${port}\n\tstorage file_system ${folder}/storage`;
    writeFileSync(config, `{\n\t${options}\n}\n${site}`);
    return config;
  },
  checkArgs: (config) => ["validate", "--adapter", "caddyfile", "--config", config],
  runArgs: (config) => ["run", "--adapter", "caddyfile", "--config", config],
};

/** The proxies whose shipped configurations are tried. */
export const PROXY_PROGRAMS: readonly ProxyProgram[] = [nginx, caddy];

/** Makes a certificate for the name in the shipped files. Returns it in PEM. */
export function createCertificate(folder: string): string {
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${HOST}`];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")];
  execFileSync("openssl", [...request, "-addext", `subjectAltName=DNS:${HOST}`, ...files], { stdio: "pipe" });
  return readFileSync(join(folder, "certificate.pem"), "utf8");
}

/** Starts the proxy and waits until it accepts connections. Returns what stops it. */
export async function startProxy(program: ProxyProgram, config: string, port: number): Promise<() => Promise<void>> {
  const child = spawn(program.name, program.runArgs(config), { stdio: "ignore" });
  await waitFor(() => assertListening(port));
  return () => stop(child);
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function assertListening(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
  } finally {
    socket.destroy();
  }
}

/** Replaces each text; throws an Error when the shipped file no longer holds one. */
function replaceAll(text: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  return replacements.reduce((current, [from, to]) => {
    const changed = current.replace(from, to);
    if (changed === current) throw new Error(`The shipped file does not hold ${from}.`);
    return changed;
  }, text);
}
