/** The blocks of the docs' pages that call the API with a key, each run in a shell as it stands, with the key that the docs make. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { FEATHER } from "../support/cli.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { installPackage } from "../support/pack.ts";
import { platformUrl } from "../support/platform-url.ts";

const PAGES = join(import.meta.dirname, "../../packages/web/content/docs");
const QUICKSTART = readFileSync(join(PAGES, "quickstart.md"), "utf8");
/** The page whose steps have a test of their own. */
const TESTED_ELSEWHERE = "pipelines.md";
/** Statuses that say that the key, or the address, is not the right one. */
const REFUSALS = ["401", "403", "404", "405"];
/** The models of pages about calls for which the catalogue has none. */
const OTHER_MODELS = [
  "Qwen/Qwen3-Reranker-0.6B",
  "black-forest-labs/FLUX.1-schnell",
  "openai/omni-moderation-latest",
  "hexgrad/Kokoro-82M",
  "openai/whisper-large-v3",
];
/** Ends with the status of the first command that fails; curl writes the HTTP status to the file `statuses`. */
const HEAD = `set -e -o pipefail
curl() { command curl --silent --show-error -w '%{stderr}%{http_code}\\n' "$@" 2>> statuses; }
feather() { '${process.execPath}' '${FEATHER}' "$@"; }
`;
const execute = promisify(execFile);
const baseUrl = platformUrl();
const folder = mkdtempSync(join(tmpdir(), "feather-pages-"));
let env: Record<string, string> = {};

/** The blocks of a page that call the API by curl. */
function findBlocks(name: string): [title: string, code: string][] {
  const page = readFileSync(join(PAGES, name), "utf8");
  return [...page.matchAll(/^```bash(?! literal)(?: .*)?\n([\s\S]*?)^```$/gm)].flatMap(([, code = ""], index) =>
    code.includes("curl ")
      ? [[`block ${index + 1} of ${name}`, code.replace(/(http:\/\/)?localhost:4000/g, baseUrl)]]
      : [],
  );
}

/** Runs a script as the account that has signed in, and returns its output. */
async function shell(script: string): Promise<string> {
  const running = execute("bash", ["-c", HEAD + script], { cwd: folder, env, timeout: HANG_LIMIT_MS });
  running.child.stdin?.end();
  return (await running).stdout;
}

beforeAll(async () => {
  const { token, email } = await createAccount(baseUrl);
  const { feather: admin } = await signInAsAdmin(baseUrl);
  const [user] = (await admin.admin.users.list({ search: email })).items;
  await admin.admin.users.update(user?.id ?? "", { plan_id: "feather_max" }); // the first plan has too few keys
  for (const id of OTHER_MODELS)
    await admin.admin.models.create({ id, model_class: "feather-demo", parameter_size: 1_000_000 });
  const signedIn = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", FEATHER_BASE_URL: baseUrl };
  env = { ...signedIn, FEATHER_TOKEN: token };
  const [, makeKey = ""] = /^echo "FEATHER_API_KEY=\$\((feather keys create .*)\)"/m.exec(QUICKSTART) ?? [];
  // In a shell the key is a variable, which is not exported: see the quickstart.
  writeFileSync(join(folder, "key"), await shell(makeKey));
  writeFileSync(join(folder, "bird.png"), Buffer.from("iVBORw0KGgo=", "base64"));
  writeFileSync(join(folder, "meeting.mp3"), "ID3");
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  const { feather: admin } = await signInAsAdmin(baseUrl);
  for (const id of OTHER_MODELS) await admin.admin.models.delete(id);
});

const withKey = (code: string) => `FEATHER_API_KEY=$(cat key)\n${code}`;

const pages = readdirSync(PAGES).filter((name) => name.endsWith(".md") && name !== TESTED_ELSEWHERE);

test.each(pages.flatMap(findBlocks))("%s is not refused with the key that the docs make", async (_, code) => {
  const statuses = join(folder, "statuses");
  writeFileSync(statuses, "");
  await shell(withKey(code));
  const answered = readFileSync(statuses, "utf8").trim().split("\n");
  expect(answered).not.toEqual([""]);
  expect(answered.filter((status) => REFUSALS.includes(status))).toEqual([]);
});

test("the program that makes a key works with the key that its comment makes", async () => {
  const page = readFileSync(join(PAGES, "api-keys.md"), "utf8");
  const [, program = ""] = /^```typescript.*\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const [, makeKey = ""] = /(feather keys create setup .*)$/m.exec(program) ?? [];
  installPackage("sdk", folder);
  writeFileSync(join(folder, "main.ts"), `${program.replace("http://localhost:4000", baseUrl)}\nconsole.log(secret);`);
  const secret = await shell(`FEATHER_SETUP_KEY=$(${makeKey}) '${process.execPath}' main.ts`);
  expect(secret).toMatch(/^rc_\w+\n$/);
});
