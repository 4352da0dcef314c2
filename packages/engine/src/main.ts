import { parseArguments, USAGE, UsageError } from "./cli/arguments.ts";
import { FetchError, fetchFiles } from "./cli/fetch-files.ts";
import { AddressError } from "./cli/socket-path.ts";
import { ModelLoadError } from "./model/engine-model.ts";

const EXIT = { ok: 0, failed: 1, usage: 2 };

const log = (message: string) => process.stderr.write(`feather-engine: ${message}\n`);

async function main(argv: readonly string[]): Promise<number> {
  // The reader of the output may exit first; that is not an error.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  try {
    const command = parseArguments(argv);
    if (command.name === "help") {
      process.stdout.write(USAGE);
      return EXIT.ok;
    }
    if (command.name === "check") {
      const { checkArchitecture } = await import("./model/llama/check-architecture.ts");
      process.stdout.write(`${JSON.stringify({ architecture_known: await checkArchitecture(command.modelPath) })}\n`);
      return EXIT.ok;
    }
    if (command.name === "gpu") {
      const { readGpuState } = await import("./model/llama/open-llama.ts");
      process.stdout.write(`${JSON.stringify(await readGpuState(command.gpu, command.modelPath, log))}\n`);
      return EXIT.ok;
    }
    if (command.name === "fetch") {
      await fetchFiles({ ...command, token: process.env.FEATHER_FILES_TOKEN ?? process.env.HF_TOKEN }, log);
      return EXIT.ok;
    }
    const apiKey = process.env.FEATHER_ENGINE_API_KEY;
    const stopRequested = waitForStopRequest(command.arguments.stopWithStdin);
    const announce = (line: string) => process.stdout.write(`${line}\n`);
    // The HTTP server takes a while to load, which the other commands do without.
    const { serve } = await import("./cli/serve.ts");
    await serve(command.arguments, { stopRequested, announce, log, apiKey });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof UsageError) {
      log(`${error.message}\n\n${USAGE}`);
      return EXIT.usage;
    }
    const isExpected = [ModelLoadError, AddressError, FetchError].some((known) => error instanceof known);
    log(isExpected || !(error instanceof Error) ? errorMessage(error) : (error.stack ?? error.message));
    return EXIT.failed;
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function waitForStopRequest(withStdin: boolean): Promise<void> {
  return new Promise((resolve) => {
    // Not `once`: a dependency of node-llama-cpp ends the process when it finds no other listener left.
    process.on("SIGTERM", () => resolve());
    process.on("SIGINT", () => resolve());
    if (!withStdin) return;
    process.stdin.on("close", () => resolve());
    process.stdin.on("error", () => resolve());
    process.stdin.resume();
  });
}

// llama.cpp has threads of its own that keep the process running, so it is ended explicitly.
process.exit(await main(process.argv.slice(2)));
