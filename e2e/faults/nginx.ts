import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@feather/testing/free-port";
import { pollUntil } from "../support/poll-until.ts";

/** nginx in front of servers at these ports, with more directives for all requests; null where it is not installed. */
export async function startNginx(parent: string, ports: readonly number[], directives = "") {
  if (spawnSync("nginx", ["-v"]).error !== undefined) return null;
  const folder = join(parent, "nginx");
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const servers = ports.map((upstream) => `server 127.0.0.1:${upstream} max_fails=1 fail_timeout=1s;`);
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events { worker_connections 4096; }
    http {
      access_log off; ${temporary.join(" ")}
      upstream feather { ${servers.join(" ")} keepalive 64; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://feather;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_buffering off;
          proxy_connect_timeout 2s;
          proxy_read_timeout 30s;
          ${directives}
        }
      }
    }`,
  );
  const child = spawn("nginx", ["-e", "stderr", "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await pollUntil(() => fetch(`${url}/api/health/live`));
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
