/** The examples of the SDK's README, which is the site's page too, compiled by a strict compiler and run against the platform. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { platformUrl } from "../support/platform-url.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SDK = join(ROOT, "packages/sdk");
const README = join(ROOT, "packages/sdk/README.md");
const LIBRARIES = ["zod", "msw", "@tanstack/react-query", "react", "@types/react", "@types/node"];
const execute = promisify(execFile);

type Example = { name: string; code: string };

/** The TypeScript blocks of the README. Those after the one that makes the client have it at hand. */
function listExamples(): Example[] {
  const text = readFileSync(README, "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""], index) => {
    const own = [
      code.includes('from "@feather/sdk";') && /\{[^}]*\bcreateFeather\b[^}]*\} from "@feather\/sdk"/.test(code)
        ? ""
        : 'import { createFeather } from "@feather/sdk";',
      /const feather =/.test(code) ? "" : "const feather = createFeather();",
      /\bcurrentUrl\b/.test(code) ? "declare const currentUrl: string; declare const store: () => Promise<void>;" : "",
    ];
    return { name: `block-${index + 1}`, code: `${own.join("\n")}\n${code}\nexport {};\n` };
  });
}

const examples = listExamples();
const baseUrl = platformUrl();
const folder = mkdtempSync(join(tmpdir(), "feather-examples-"));
let apiKey = "";

beforeAll(async () => {
  const { feather } = await createAccount(baseUrl);
  apiKey = (
    await feather.apiKeys.create({ name: "examples", scopes: ["user.read", "user.write", "api.access", "keys.write"] })
  ).secret;
  for (const name of ["@feather/sdk", ...LIBRARIES]) {
    const link = join(folder, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(name === "@feather/sdk" ? SDK : realpathSync(join(SDK, "node_modules", name)), link);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(ROOT, "tsconfig.base.json"),
      compilerOptions: {
        composite: false,
        noEmit: true,
        noUnusedLocals: false,
        types: ["node"],
        lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
      },
      include: ["*.ts"],
    }),
  );
  for (const { name, code } of examples)
    writeFileSync(join(folder, `${name}.ts`), code.replaceAll("http://localhost:4000", baseUrl));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the SDK examples", () => {
  test("compile in strict mode", async () => {
    const said = await execute("tsc", ["-p", folder], { cwd: ROOT }).catch((error: { stdout: string }) => error);
    expect(said.stdout).toBe("");
  });

  // Examples with a placeholder need a value of the reader.
  test.each(examples.filter(({ code }) => !code.includes('…"')))("$name runs", async ({ name }) => {
    const env = { ...process.env, FEATHER_BASE_URL: baseUrl, FEATHER_API_KEY: apiKey };
    const { stderr } = await execute(process.execPath, [join(folder, `${name}.ts`)], { env, timeout: HANG_LIMIT_MS });
    expect(stderr).not.toMatch(/error:/i);
  });
});
