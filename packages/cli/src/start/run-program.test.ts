import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { programRunner } from "./run-program.ts";

const NOTHING = {};

test("finds an installed command, and none that is not", async () => {
  expect(await programRunner.find("node")).toContain("node");
  expect(await programRunner.find("no-such-program-here")).toBeNull();
});

test("returns the exit code of a program, which sees added variables and no removed ones", async () => {
  const check = "process.exit(process.env.ADDED === 'yes' && process.env.HOME === undefined ? 7 : 1)";
  expect(await programRunner.run(process.execPath, ["-e", check], { ADDED: "yes", HOME: undefined })).toBe(7);
});

test("a program that a signal ends has the exit code that shells give it", async () => {
  const program = ["-e", "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)"];
  expect(await programRunner.run(process.execPath, program, NOTHING)).toBe(128 + 15);
});

test("rejects where a program cannot be started, and signals end this process again", async () => {
  const before = process.listeners("SIGINT");
  await expect(programRunner.run("/no/such/program", [], NOTHING)).rejects.toThrow("ENOENT");
  expect(process.listeners("SIGINT")).toEqual(before);
});

/** A process that runs a program, and writes when that has ended. */
const PARENT = `
import { programRunner } from ${JSON.stringify(fileURLToPath(new URL("run-program.ts", import.meta.url)))};
const child = "process.on('SIGTERM', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000)";
const code = await programRunner.run(process.execPath, ["-e", child], {});
console.log("ended with " + code);
`;

test("a signal to end goes to the program, after which this process goes on", async () => {
  const parent = spawn(process.execPath, ["--input-type=module-typescript", "-e", PARENT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  parent.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (text.includes("ready")) parent.kill("SIGTERM");
  });
  const [code] = await once(parent, "close");
  expect([code, output]).toEqual([0, "ready\nended with 5\n"]);
});
