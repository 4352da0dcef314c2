/** The first steps of the README and of the docs, run from top to bottom as they stand there, in a shell of their own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { installPackage, offlineNpm } from "../support/pack.ts";
import { platformUrl } from "../support/platform-url.ts";

const ROOT = join(import.meta.dirname, "../..");
const execute = promisify(execFile);
const baseUrl = platformUrl();
const root = mkdtempSync(join(tmpdir(), "feather-quickstart-"));
const npm = offlineNpm(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The blocks of a page in one of these languages, with the address of this server. */
const blocksOf = (text: string, languages: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})(?: .*)?\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) =>
    code.replace(/(http:\/\/)?localhost:4000/g, baseUrl),
  );

/** The folder of a person who only has an account, and a function that runs commands there. */
async function somebody() {
  const { email } = await createAccount(baseUrl);
  const folder = mkdtempSync(join(root, "folder-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(realpathSync(join(ROOT, "e2e/node_modules/openai")), join(folder, "node_modules/openai"));
  installPackage("sdk", folder);
  const start = (command: string, args: string[], more: Record<string, string> = {}) => {
    const running = execute(command, args, { cwd: folder, env: { ...env, ...more }, timeout: HANG_LIMIT_MS });
    running.child.stdin?.end(); // nothing is piped into what reads it
    return running;
  };
  const env = { PATH: `${npm.bin}:${process.env.PATH ?? ""}`, HOME: folder, LANG: "C.UTF-8" };
  return {
    folder,
    /** Runs a script of the page in one shell. What only a person can do at a browser is done by password. */
    async shell(script: string) {
      const signIn = `feather login --base-url ${baseUrl} --email ${email} --password-stdin <<< "${PASSWORD}"`;
      const unattended = script.replace(/^feather login.*$/m, signIn);
      expect(unattended, "the page signs in").not.toBe(script);
      return start("bash", ["-e", "-c", unattended]);
    },
    run: start,
  };
}

test("all commands of the page Getting started, and its program, work in order", async () => {
  const page = readFileSync(join(ROOT, "packages/web/content/docs/quickstart.md"), "utf8");
  const { folder, shell, run } = await somebody();
  const { stdout } = await shell(blocksOf(page, "bash").join("\n"));
  expect(stdout).toContain('"object":"chat.completion"');
  expect(stdout).toMatch(/^feather\/demo\t/m);
  const [program = ""] = blocksOf(page, "typescript");
  writeFileSync(join(folder, "first.ts"), program);
  expect((await run("node", ["--env-file=.env", "first.ts"])).stdout.trim()).not.toBe("");
});

test("all commands of the README's main job, and its programs, work in order", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, job = ""] = /^## The main job.*\n([\s\S]*?)^## /m.exec(readme) ?? [];
  const { folder, shell, run } = await somebody();
  const { stdout } = await shell(`${blocksOf(job, "sh").join("\n")}\necho "the key is $FEATHER_API_KEY"`);
  expect(stdout).toContain('"object":"chat.completion"');
  const [, key = ""] = /the key is (rc_\w+)/.exec(stdout) ?? [];
  const programs = blocksOf(job, "ts");
  expect(programs).toHaveLength(2);
  for (const program of programs) {
    writeFileSync(join(folder, "first.mjs"), program);
    expect((await run("node", ["first.mjs"], { FEATHER_API_KEY: key })).stdout.trim()).not.toBe("");
  }
});
