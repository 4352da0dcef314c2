import { type ChildProcess, spawn } from "node:child_process";

export type Program = { url: string; process: ChildProcess; stop(): void };

/** Starts a program of this folder in a process of its own and waits for the address that it prints. */
export async function startProgram(file: string, args: readonly string[] = []): Promise<Program> {
  const path = new URL(file, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`${file} ended with code ${code}.`)));
  });
  return { url, process: child, stop: () => void child.kill() };
}
