/** The package as others get it: packed, looked over, and used in an empty folder outside the workspace. */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatChunks } from "@feather/testing/chat-events";
import { sendJson, startHttpServer } from "@feather/testing/http-server";
import { afterAll, beforeAll, expect, test } from "vitest";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BIN = join(HERE, "node_modules/.bin");
const PNPM = join(ROOT, "scripts/pnpm/node_modules/pnpm/bin/pnpm.cjs");
const ENTRY_POINTS = [
  "streams",
  "tools",
  "zod",
  "oauth",
  "webhooks",
  "format",
  "chat-imports",
  "prompts",
  "collections",
  "react",
  "msw",
];
/** Returns the name under which a program imports an entry point. */
const toName = (entryPoint: string): string => entryPoint.replaceAll("-", "_");
/** The peer packages that all entry points need. */
const PEER_PACKAGES = [
  "openapi-fetch",
  "eventsource-parser",
  "zod",
  "msw",
  "react",
  "@tanstack/react-query",
  "@types/react",
  "@types/node",
];
const TIMEOUT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), "feather-sdk-"));
const user = join(folder, "user");
let tarball = "";

const PACKERS: Record<"npm" | "pnpm", (target: string) => [command: string, args: string[]]> = {
  npm: (target) => ["npm", ["pack", "--pack-destination", target]],
  pnpm: (target) => ["node", [PNPM, "pack", "--pack-destination", target]],
};

const run = (command: string, args: string[], cwd: string): string =>
  execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, PATH: `${BIN}:${ROOT}node_modules/.bin:${process.env.PATH}` },
  });

beforeAll(() => {
  // A copy of the package in a copy of its surroundings: packing changes the manifest for a moment.
  const copied = join(folder, "packages/sdk");
  for (const name of ["tsconfig.base.json", "scripts/published-manifest.ts"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  cpSync(HERE, copied, {
    recursive: true,
    filter: (source) => !/node_modules|dist|tsbuildinfo/.test(basename(source)),
  });
  symlinkSync(join(HERE, "node_modules"), join(copied, "node_modules"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const packer of ["npm", "pnpm"] as const) {
    mkdirSync(join(folder, packer));
    run(...PACKERS[packer](join(folder, packer)), copied);
  }
  tarball = join(folder, "npm", readdirSync(join(folder, "npm")).find((name) => name.endsWith(".tgz")) ?? "");

  const target = join(user, "node_modules/@feather/sdk");
  mkdirSync(target, { recursive: true });
  run("tar", ["-xzf", tarball, "--strip-components=1", "-C", target], user);
  for (const name of PEER_PACKAGES) {
    const link = join(user, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(realpathSync(join(HERE, "node_modules", name)), link);
  }
  writeFileSync(join(user, "package.json"), '{ "type": "module" }');
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function listPacked(archive: string): string[] {
  const names = run("tar", ["-tzf", archive], folder).trim().split("\n");
  return names.map((name) => name.replace("package/", "")).toSorted();
}

test("npm and pnpm pack the same files, with the same entry points, and leave the manifest as it was", () => {
  const [name = ""] = readdirSync(join(folder, "pnpm"));
  const other = join(folder, "pnpm", name);
  expect(listPacked(other)).toEqual(listPacked(tarball));
  const [one, two] = [tarball, other].map(
    (archive) => JSON.parse(run("tar", ["-xzOf", archive, "package/package.json"], folder)) as { exports: object },
  );
  expect(one?.exports).toEqual(two?.exports);
  expect(one?.exports).toMatchObject({ ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } });
  expect(readFileSync(join(folder, "packages/sdk/package.json"))).toEqual(readFileSync(join(HERE, "package.json")));
});

test("the package contains only the expected files", () => {
  const files = listPacked(tarball);
  expect(files.filter((name) => !name.startsWith("dist/")).toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "api.md",
    "package.json",
  ]);
  expect(files.filter((name) => /test|testing|recorded/.test(name))).toEqual([]);
  for (const entryPoint of ["index", ...ENTRY_POINTS])
    expect(files).toEqual(expect.arrayContaining([`dist/${entryPoint}.js`, `dist/${entryPoint}.d.ts`]));
});

test(
  "publint and are-the-types-wrong find nothing",
  () => {
    expect(run("publint", ["--strict", tarball], folder)).toContain("All good!");
    expect(() => run("attw", [tarball, "--profile", "esm-only"], folder)).not.toThrow();
  },
  TIMEOUT_MS,
);

test(
  "the package works in an empty project",
  async () => {
    const server = await startHttpServer((request, response) => {
      if (request.method === "GET")
        return sendJson(response, 200, { items: [{ id: "a/b" }], pagination: { current_page: 1, total_pages: 1 } });
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`${formatChunks("Hel", "lo")}data: [DONE]\n\n`);
    });
    writeFileSync(
      join(user, "main.mjs"),
      `import { createFeather } from "@feather/sdk";
${ENTRY_POINTS.map((entryPoint) => `import * as ${toName(entryPoint)} from "@feather/sdk/${entryPoint}";`).join("\n")}
const feather = createFeather({ baseUrl: process.argv[2], apiKey: null });
for await (const model of feather.models.list()) console.log(model.id);
console.log((await feather.GET("/feather/stats")).response.status);
const stream = await feather.chat.completions.create({ model: "m/n", messages: [], stream: true });
console.log(await stream.text(), stream instanceof streams.AnswerStream);
console.log([${ENTRY_POINTS.map(toName).join(", ")}].every((door) => Object.keys(door).length > 0));
`,
    );
    const child = spawn(process.execPath, ["main.mjs", server.url], {
      cwd: user,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    for await (const part of child.stdout) output += String(part);
    server.close();
    expect(output).toBe("a/b\n200\nHello true\ntrue\n");
  },
  TIMEOUT_MS,
);

test(
  "the types compile in a strict project that checks libraries",
  () => {
    writeFileSync(
      join(user, "main.ts"),
      `import { createFeather, type ApiKey } from "@feather/sdk";
import { handlers } from "@feather/sdk/msw";
import { createOAuth } from "@feather/sdk/oauth";
import { createQueries } from "@feather/sdk/react";
import { AnswerStream } from "@feather/sdk/streams";
import { runTools } from "@feather/sdk/tools";
import { zodFormat } from "@feather/sdk/zod";
const feather = createFeather({ apiKey: process.env.FEATHER_API_KEY });
export const made: Date = (await feather.apiKeys.get("key_1")).created_at;
export const key: ApiKey = await feather.apiKeys.get("key_1");
export const all = [handlers, createOAuth, createQueries(feather).apiKeys.list.key(), AnswerStream, runTools, zodFormat];
`,
    );
    writeFileSync(
      join(user, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "es2024",
          module: "nodenext",
          lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          types: ["node"],
        },
        include: ["main.ts"],
      }),
    );
    expect(() => run("tsc", ["-p", user], user)).not.toThrow();
  },
  TIMEOUT_MS,
);
