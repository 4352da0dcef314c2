import { execFileSync } from "node:child_process";

/** Returns the memory that the engine of a model takes, in bytes: its resident set, with the pages of the file. */
export function readEngineMemory(modelId: string): number {
  const lines = execFileSync("ps", ["-eo", "rss=,comm=,args="], { encoding: "utf8" }).split("\n");
  // What starts the engine in a sandbox or with limits has the same arguments.
  const engine = lines.find((line) => line.includes(`--model-id ${modelId} `) && !/^\s*\d+ (?:bwrap|sh) /.test(line));
  if (!engine) throw new Error(`No engine runs ${modelId}.`);
  return Number.parseInt(engine, 10) * 1024;
}
