/** How much cores do at the same time. Those of a virtual machine may be halves of one physical core, without saying so. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const PROGRAM = new URL("core-speed-program.ts", import.meta.url).pathname;

/** Returns how many times the work of the first of these cores alone all of them do at the same time. */
export async function compareWithOneCore(cores: readonly number[]): Promise<number> {
  const [first] = cores;
  if (first === undefined) throw new Error("There are no cores to compare.");
  const alone = await countRounds(first);
  const together = await Promise.all(cores.map(countRounds));
  return together.reduce((sum, rounds) => sum + rounds, 0) / alone;
}

async function countRounds(core: number): Promise<number> {
  const { stdout } = await promisify(execFile)("taskset", ["-c", String(core), process.execPath, PROGRAM]);
  return Number(stdout);
}
