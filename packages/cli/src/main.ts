import { readFileSync } from "node:fs";
import { readEnvironment } from "./config/environment.ts";
import { run } from "./run.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const interruption = new AbortController();
const { stdin, stdout, stderr } = process;

// A reader that has enough, such as `head`, is no failure.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });

// The first Ctrl-C ends the command in order; a second one ends the process.
process.once("SIGINT", () => interruption.abort());

process.exitCode = await run(process.argv.slice(2), {
  io: { stdin, stdout, stderr, env: readEnvironment() },
  signal: interruption.signal,
  now: () => new Date(),
  version,
});
