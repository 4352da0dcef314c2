import { type ChildProcess, spawn } from "node:child_process";

/** A program in its own process. */
export type BenchProgram = { url: string; process: ChildProcess; stop(): void };

/** Starts a program of this folder in its own process. Resolves with the URL it prints; rejects if it exits before. */
export async function startProgram(file: string, args: readonly string[] = []): Promise<BenchProgram> {
  const path = new URL(file, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`${file} ended with code ${code}.`)));
  });
  return { url, process: child, stop: () => void child.kill() };
}
