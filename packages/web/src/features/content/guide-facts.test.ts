import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PUBLIC_PAGES } from "#/app/pages.ts";
import { PRIVATE_PAGES } from "#/app/private-pages.ts";

// What `feather/guide` says is written by hand, so that a command that is renamed has to be renamed there too.
const ROOT = join(import.meta.dirname, "../../../../..");
const DOCS = join(import.meta.dirname, "../../../content/docs");
const GUIDE = join(ROOT, "packages/guide/evaluation/answers.json");
const { answers } = JSON.parse(readFileSync(GUIDE, "utf8")) as { answers: Record<string, string> };
const docs = readdirSync(DOCS)
  .map((name) => readFileSync(join(DOCS, name), "utf8"))
  .join("\n");
const reference = readFileSync(join(DOCS, "cli-reference.md"), "utf8");
const commands = new Set(
  [...reference.matchAll(/^#{2,5} (?:feather )?([a-z][a-z -]*)$/gm)].map(([, name = ""]) => name),
);
const errorCodes = new Set(
  [...readFileSync(join(DOCS, "error-codes.md"), "utf8").matchAll(/^\| [\d, ]+ \| `([a-z0-9_.]+)` \|/gm)].map(
    ([, code = ""]) => code,
  ),
);
const resources = new Set([...errorCodes].filter((code) => code.includes(".")).map((code) => code.split(".")[0] ?? ""));
const pages = [...Object.keys(PUBLIC_PAGES), ...Object.keys(PRIVATE_PAGES)];

type Named = { kind: string; name: string; known: boolean };

/** Returns the names in backticks of an answer whose kind can be recognized, and whether each of them exists. */
function named(answer: string): Named[] {
  return [...answer.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]): Named[] => {
    const command = /^(?:npx )?feather ([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})/.exec(code)?.[1]?.split(" ");
    const flags = [...code.matchAll(/(?:^| )(--[a-z-]+)/g)].map(([, name = ""]) => ({
      kind: "flag",
      name,
      known: docs.includes(`\`${name}`) || docs.includes(` ${name}`),
    }));
    if (command) {
      const known = command.some((_, index) => commands.has(command.slice(0, index + 1).join(" ")));
      return [{ kind: "command", name: command.join(" "), known }, ...flags];
    }
    const setting = /^(?:FEATHER_|SMTP_|DATABASE_)[A-Z_]+/.exec(code)?.[0];
    if (setting) return [{ kind: "setting", name: setting, known: docs.includes(setting) }];
    const call = /^(?:GET|POST|PUT|DELETE) (\S+)/.exec(code)?.[1];
    if (call) return [{ kind: "call", name: call, known: docs.includes(call) }];
    const path = /(?:^| )((?:packages|deploy)\/\S+)$/.exec(code)?.[1];
    if (path) return [{ kind: "path", name: path, known: existsSync(join(ROOT, path)) }];
    const resource = /^([a-z_]+)\.[a-z_]+$/.exec(code)?.[1] ?? "";
    if (resources.has(resource)) return [{ kind: "error code", name: code, known: errorCodes.has(code) }];
    if (/^[a-z]+_[a-z_]+$/.test(code)) {
      return [{ kind: "error code or field", name: code, known: errorCodes.has(code) || isWholeName(code) }];
    }
    if (/^\/[a-z]/.test(code) && !/^\/(?:api|v1)\b/.test(code)) {
      const known = pages.some((page) =>
        new RegExp(`^${page.replace(/:\w+/g, "[^/]+").replace("*", ".*")}$`).test(code),
      );
      return [{ kind: "page", name: code, known }];
    }
    return flags;
  });
}

/** Returns whether the docs contain exactly this name: `wrong_code` is not found in `auth.wrong_code`. */
function isWholeName(name: string): boolean {
  return new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(docs);
}

test("the guide model's answers only name things that exist", () => {
  const all = Object.entries(answers).flatMap(([id, answer]) => named(answer).map((one) => ({ id, ...one })));
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter(({ name }) => errorCodes.has(name)).length).toBeGreaterThan(20);
  expect(all.filter(({ known }) => !known)).toEqual([]);
});
