import { join } from "node:path";
import type { Logger } from "pino";
import { type ArchitectureQuestion, createGgufArchitectureCheck, readAnswer } from "../gguf-architectures.ts";
import type { EngineSandbox } from "../processes/sandbox.ts";
import type { IsKnownArchitecture } from "../runtime.ts";
import { confine, createLlamaServerEnvironment, listAccountFiles } from "./llama-server-environment.ts";
import { createLlamaServerLog } from "./llama-server-log.ts";

type Options = {
  /** The path of the command. */
  command: string;
  sandbox: EngineSandbox;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  log: Pick<Logger, "warn">;
};

const UNKNOWN = /unknown model architecture/;
/** Any other error says that the header lacks what a model of that architecture has. */
const INCOMPLETE = /error loading model/;

/** Returns a function that asks llama-server whether it knows an architecture: it loads a file with only a header. */
export function createLlamaServerArchitectureCheck({ log, ...options }: Options): IsKnownArchitecture {
  return createGgufArchitectureCheck({
    name: "llama-server",
    programFiles: listAccountFiles(options.command),
    log,
    ask: (question) => askLlamaServer(question, options),
  });
}

async function askLlamaServer(
  { file, folder, account }: ArchitectureQuestion,
  { command, sandbox, dataDir }: Omit<Options, "log">,
): Promise<boolean> {
  const load = ["--model", file, "--host", join(folder, "s.sock"), "--no-webui", "--device", "none"];
  const files = { dataDir, readable: [file], writable: [folder], gpu: undefined };
  const [program, args] = confine(command, load, { isSandboxed: sandbox.state === "on", ...files });
  const env = createLlamaServerEnvironment(folder);
  const { stdout, stderr } = await readAnswer(program, args, { account, env });
  const output = `${stdout}\n${stderr}`;
  if (UNKNOWN.test(output)) return false;
  if (INCOMPLETE.test(output)) return true;
  const log = createLlamaServerLog();
  for (const line of output.split("\n")) log.add(line);
  throw new Error(`It wrote ${log.lastWords()}`);
}
