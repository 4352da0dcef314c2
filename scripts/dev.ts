/** Runs the server, restarted on every change, and the site with hot reloading at http://localhost:5173. */
import { spawn } from "node:child_process";
import { ROOT } from "./run.ts";

const env = {
  ...process.env,
  PATH: `${ROOT}node_modules/.bin:${ROOT}packages/web/node_modules/.bin:${process.env.PATH}`,
};
const children = [
  spawn("node", ["--watch", "packages/server/bin/server.js"], { cwd: ROOT, stdio: "inherit", env }),
  spawn("vite", [], { cwd: `${ROOT}packages/web`, stdio: "inherit", env }),
];
const stop = () => {
  for (const child of children) child.kill("SIGTERM");
};
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
