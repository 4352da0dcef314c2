import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readEnvironment } from "./config/environment.ts";
import { InterruptedError } from "./errors.ts";
import { run } from "./start/run.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
/** As in `exit-report.ts`, which is loaded for errors only. */
const INTERRUPTED_EXIT_CODE = 130;
const interruptController = new AbortController();
const { stdin, stdout, stderr } = process;

// A reader that closes the pipe early, such as `head`, is not an error.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`error: the result could not be written (${error.message})\n`);
    process.exit(1);
  });

// The first Ctrl-C ends the command gracefully, a second one at once. This listener also keeps Ink from ending the
// process at the first one; Ink then clears what it has drawn when the process exits.
process.on("SIGINT", () => {
  if (interruptController.signal.aborted) process.exit(INTERRUPTED_EXIT_CODE);
  interruptController.abort();
});

const io = { stdin, stdout, stderr, env: readEnvironment() };

process.exitCode = await run(process.argv.slice(2), {
  io,
  signal: interruptController.signal,
  now: () => new Date(),
  async sleep(milliseconds, signal) {
    await wait(milliseconds, undefined, { signal }).catch(() => {
      throw new InterruptedError("the wait was left");
    });
  },
  async openUrl(address) {
    try {
      const { default: open } = await import("open");
      (await open(address)).once("error", () => {}); // the address is printed as well
      return true;
    } catch {
      return false;
    }
  },
  programs: {
    find: async (command) => (await import("./start/run-program.ts")).programRunner.find(command),
    run: async (...program) => (await import("./start/run-program.ts")).programRunner.run(...program),
  },
  version,
});

// Only installed copies look for newer versions, not checkouts.
if (import.meta.url.includes("/node_modules/") && stderr.isTTY) {
  const [{ notifyOfUpdate, findDefaultServer }, { spawn }] = await Promise.all([
    import("./update/notice.ts"),
    import("node:child_process"),
  ]);
  const scheduleLookUp = () => {
    const program = fileURLToPath(new URL("./update/look-up.js", import.meta.url));
    spawn(process.execPath, [program, version], { detached: true, stdio: "ignore" })
      .once("error", () => {})
      .unref();
  };
  notifyOfUpdate(io, { version, baseUrl: findDefaultServer(io.env), now: new Date(), scheduleLookUp });
}
