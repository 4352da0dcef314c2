import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ENTRY_POINTS = [
  "index",
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
const sources = readdirSync(HERE, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !/\.test\.ts$|^testing\/|^generated\//.test(name),
);

type Export = { readonly file: string; readonly name: string; readonly isDocumented: boolean };

/** What a file declares and exports, and whether a comment for readers stands above it. Overloads share one. */
function exportsOf(file: string): Export[] {
  const lines = readFileSync(HERE + file, "utf8").split("\n");
  const found = new Map<string, Export>();
  for (const [at, line] of lines.entries()) {
    const [, name] =
      /^export (?:declare )?(?:abstract )?(?:async )?(?:class|function\*?|const|type|interface) (\w+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const above = lines.slice(0, at).findLast((one) => !one.startsWith("// ")) ?? "";
    found.set(name, {
      file,
      name,
      isDocumented: found.get(name)?.isDocumented === true || above.trimEnd().endsWith("*/"),
    });
  }
  return [...found.values()];
}

const all = sources.flatMap(exportsOf);

/** Returns the names that an entry point exports, including re-exported ones. */
function publicExports(entryPoint: string): readonly Export[] {
  const text = readFileSync(`${HERE}${entryPoint}.ts`, "utf8");
  const named = [...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names = ""]) =>
    names.split(",").map(
      (name) =>
        name
          .replace(/\btype\b/, "")
          .trim()
          .split(" as ")[0] ?? "",
    ),
  );
  const starred = [...text.matchAll(/^export (?:type )?\* from "\.\/([^"]+)"/gm)].map(([, file = ""]) => file);
  return all.filter(({ file, name }) => file === `${entryPoint}.ts` || starred.includes(file) || named.includes(name));
}

describe("every export has a doc comment", () => {
  test.each(ENTRY_POINTS)("%s", (entryPoint) => {
    const exports = publicExports(entryPoint);
    expect(exports.length).toBeGreaterThan(0);
    expect(exports.filter(({ isDocumented }) => !isDocumented).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  test("every schema of the contract, which is a type of its own, so that editors show its name", () => {
    const text = readFileSync(`${HERE}generated/schemas.ts`, "utf8");
    const types = [...text.matchAll(/^(.*)\nexport type (\w+) = (.*)$/gm)];
    expect(types.length).toBeGreaterThan(290);
    const unnamed = types.filter(([, above = "", , type = ""]) => !above.endsWith("*/") || type.startsWith("Schemas["));
    expect(unnamed.map(([, , name]) => name)).toEqual([]);
  });

  test("methods take and return types with names", () => {
    const text = readFileSync(`${HERE}generated/resources.ts`, "utf8");
    const calls = [...text.matchAll(/^ +\w+\((.*)\): (\w+Promise<.*>);$/gm)];
    expect(calls.length).toBeGreaterThan(240);
    const anonymous = calls.filter(([, inputs = "", result = ""]) => /\b(Body|Result)</.test(inputs + result));
    expect(anonymous.map(([signature]) => signature.trim())).toEqual([]);
  });

  test("every method has a doc comment with its HTTP method and path", () => {
    const text = readFileSync(`${HERE}generated/resources.ts`, "utf8").split("\n");
    const calls = text.flatMap((line, at) =>
      /^\s+\w+\(.*\): (ApiPromise|PagedPromise)/.test(line) ? [{ line, above: text[at - 1] ?? "" }] : [],
    );
    expect(calls.length).toBeGreaterThan(150);
    const silent = calls.filter(
      ({ line, above }) => !/\*\/\s*$/.test(above) && !above.trim().startsWith(`${line.trim().split("(")[0]}(`),
    );
    expect(silent.map(({ line }) => line.trim())).toEqual([]);
  });
});
