import type { Logger } from "pino";
import { ENGINE_BINARY } from "../engine-files.ts";
import { type ArchitectureQuestion, createGgufArchitectureCheck, readAnswer } from "../gguf-architectures.ts";
import { createEngineEnvironment, withLimits } from "../processes/confinement.ts";
import { type EngineSandbox, withSandbox } from "../processes/sandbox.ts";
import type { IsKnownArchitecture } from "../runtime.ts";

/** Returns a function that asks the engine whether it knows an architecture. */
export function createArchitectureCheck(log: Pick<Logger, "warn">, sandbox: EngineSandbox): IsKnownArchitecture {
  return createGgufArchitectureCheck({
    name: "the engine",
    programFiles: [process.execPath, ENGINE_BINARY],
    log,
    ask: (question) => askEngine(question, sandbox.state === "on"),
  });
}

async function askEngine({ file, account }: ArchitectureQuestion, isSandboxed: boolean): Promise<boolean> {
  const engine = [ENGINE_BINARY, "check", file];
  const [command, args] = withLimits(
    ...(isSandboxed
      ? withSandbox(process.execPath, engine, { readable: [file], writable: [] })
      : ([process.execPath, engine] as const)),
  );
  const { stdout, failure } = await readAnswer(command, args, { account, env: createEngineEnvironment("/tmp") });
  if (failure) throw failure;
  return parseAnswer(stdout);
}

function parseAnswer(text: string): boolean {
  const { architecture_known: isKnown } = JSON.parse(text) as { architecture_known?: unknown };
  if (typeof isKnown !== "boolean") throw new Error(`The engine answered ${text.slice(0, 200)}`);
  return isKnown;
}
