import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const configDir = mkdtempSync(join(tmpdir(), "feather-cli-"));
afterAll(() => rmSync(configDir, { recursive: true, force: true }));

type Ended = { code: number | null; out: string; err: string };

/** Runs the built program as a pipeline would: no terminal, input from a pipe. */
function feather(args: string[], input = "", env: Record<string, string> = {}): Promise<Ended> {
  const clean = {
    PATH: process.env.PATH ?? "",
    HOME: configDir,
    FEATHER_CONFIG_DIR: configDir,
    FEATHER_BASE_URL: baseUrl,
    ...env,
  };
  const child = spawn(process.execPath, ["packages/cli/bin/feather.js", ...args], { env: clean });
  const ended: Ended = { code: null, out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => {
    ended.out += part.toString();
  });
  child.stderr.on("data", (part: Buffer) => {
    ended.err += part.toString();
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ ...ended, code })));
}

test("a user signs in, finds a model, creates a key, chats with the model, and cleans up", async () => {
  const { email } = await createAccount(baseUrl);
  expect((await feather(["whoami"])).code).toBe(4);
  expect(await feather(["login", "--email", email, "--password-stdin"], `${PASSWORD}\n`)).toMatchObject({ code: 0 });
  expect((await feather(["whoami", "--json"])).out).toContain(email);

  const list = await feather(["models", "list", "--search", "demo", "--json", "id"]);
  expect(JSON.parse(list.out)).toContainEqual({ id: "feather/demo" });

  const key = await feather(["keys", "create", "ci"]);
  expect(key.out.trim()).toMatch(/^rc_\w{49}$/);
  const answer = await feather(["chat", "-m", "feather/demo", "who are you?"], "", {
    FEATHER_API_KEY: key.out.trim(),
    FEATHER_CONFIG_DIR: join(configDir, "none"),
  });
  expect(answer.out).toContain("demonstration model");

  const piped = await feather(["chat", "-m", "feather/demo"], "a question from a pipe");
  expect(piped).toMatchObject({ code: 0 });
  expect(piped.out).not.toBe("");

  const [made] = JSON.parse((await feather(["keys", "list", "--json", "id,name"])).out) as {
    id: string;
    name: string;
  }[];
  expect(made?.name).toBe("ci");
  expect((await feather(["keys", "delete", made?.id ?? ""])).code).toBe(2); // refused without --yes, since there is no person to ask
  expect((await feather(["keys", "delete", made?.id ?? "", "--yes"])).code).toBe(0);
  expect((await feather(["chat", "-m", "feather/demo", "hello"], "", { FEATHER_API_KEY: key.out.trim() })).code).toBe(
    4,
  );
});

test("exit codes identify the kind of error", async () => {
  expect((await feather(["models", "show", "feather/dmo"])).code).toBe(3);
  expect((await feather(["models", "list", "--json", "nonsense"])).code).toBe(2);
  expect((await feather(["nonsense"])).code).toBe(2);
  expect((await feather(["models", "list"], "", { FEATHER_BASE_URL: "http://127.0.0.1:1" })).code).toBe(10);
});
