/**
 * Runs the recorded session of the docs again, against the platform: the output must be the recorded one. After an
 * intended change, `npm test -- --project e2e e2e/cli/session -u` records it again.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, PASSWORD, signInAsAdmin } from "../support/accounts.ts";
import { FEATHER } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";
import { SESSION_FILES, SESSION_TASKS, type SessionTask } from "./session.ts";

const PAGE = join(import.meta.dirname, "../../packages/web/content/docs/terminal-session.md");
const HEAD = `---
title: A session in the terminal
description: Ten tasks of a developer and a pipeline, with everything that is printed.
section: Build on it
order: 8
---

This was recorded from the program and a server as they come, on the model \`feather/demo\`. A test does it again and compares; ids, times and secrets are put in the place of its own. The way to the program: [command line](/docs/cli).
`;

const baseUrl = platformUrl();
const folder = mkdtempSync(join(tmpdir(), "feather-session-"));
let email = "";

beforeAll(async () => {
  const account = await createAccount(baseUrl);
  email = account.email;
  const { feather: admin } = await signInAsAdmin(baseUrl);
  const [user] = (await admin.admin.users.list({ search: email })).items;
  await admin.admin.users.update(user?.id ?? "", { plan_id: "feather_max" });
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/feather"), `#!/bin/sh\nexec '${process.execPath}' '${FEATHER}' "$@"\n`);
  chmodSync(join(folder, "bin/feather"), 0o755);
  for (const [name, text] of Object.entries({ ...SESSION_FILES, "password.txt": `${PASSWORD}\n` }))
    writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs all tasks in two shells, at a terminal and in a pipeline, and answers what each command printed. */
async function recorded(tasks: readonly SessionTask[], env: Record<string, string>): Promise<string[][]> {
  const shell = spawn("bash", { cwd: folder, env: { ...COMMON, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  shell.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  const commands = tasks.flatMap(({ script }) => script.split("\n"));
  // The shell reads this script from stdin, so commands must not read answers from it.
  const lines = commands.map(
    (line) =>
      `{ ${line.replaceAll("maria@example.com", email)}\n} < /dev/null\n__code=$?; echo '${MARK}'; (exit $__code)`,
  );
  shell.stdin.end(`exec 2>&1\n${lines.join("\n")}\n`);
  await new Promise((resolve) => shell.once("close", resolve));
  const printed = said.split(`${MARK}\n`);
  return tasks.map(({ script }) => script.split("\n").map(() => printed.shift() ?? ""));
}

const MARK = "---8<---";
const COMMON = {
  PATH: `${join(folder, "bin")}:${process.env.PATH}`,
  HOME: folder,
  LANG: "C.UTF-8",
  NO_COLOR: "1",
  FEATHER_BASE_URL: baseUrl,
};

/** Ids, times, secrets and this machine's address as those of the page. */
function settled(text: string): string {
  return text
    .replaceAll(email, "maria@example.com")
    .replaceAll(email.split("@")[0] ?? "", "maria")
    .replaceAll(new URL(baseUrl).host, "feather.example")
    .replace(/^support-bot {2}(pending|initializing) .*\n/gm, "") // how many of these depends on the machine
    .replace(/^rating .*\n/gm, "") // others may have reviewed it
    .replace(/^(feather\/demo(?:\t\d+){3}\t)[\d.]+/gm, "$1")
    .replace(/\b(dep|key|req)_\w{22}\b/g, "$1_4fJqM1t9ZkX2vLr8NwB6yH")
    .replace(/\brc_\w{4}…\w{4}/g, "rc_9bQe…1f0c")
    .replace(/\b\d\d:\d\d:\d\d\b/g, "12:00:00")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-11-21T12:00:00.000Z")
    .replace(/after \d+ s/g, "after 4 s")
    .replace(/\d+ tokens · .*ms/g, "28 tokens · 62/s · first after 236 ms")
    .replace(/\d+ seconds? ago/g, "just now");
}

test("the session in the docs equals what the commands print", async () => {
  const atTerminal = SESSION_TASKS.filter(({ isPipeline }) => isPipeline !== true);
  const inPipeline = SESSION_TASKS.filter(({ isPipeline }) => isPipeline === true);
  const printed = [
    ...(await recorded(atTerminal, { FEATHER_FORCE_TTY: "90" })),
    ...(await recorded(inPipeline, { CI: "true" })),
  ];
  const parts = [...atTerminal, ...inPipeline].map(({ title, description, script }, index) => {
    const lines = script.split("\n").map((line, at) => `$ ${line}\n${settled(printed[index]?.[at] ?? "")}`);
    return `\n## ${index + 1}. ${title}\n\n${description}\n\n\`\`\`console literal\n${lines.join("").trimEnd()}\n\`\`\`\n`;
  });
  await expect(HEAD + parts.join("")).toMatchFileSnapshot(PAGE);
}, 1_200_000);
