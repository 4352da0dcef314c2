import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { listSettingNames } from "./settings.ts";

const FOLDER = new URL("../../deploy/compose/", import.meta.url);
const text = readFileSync(fileURLToPath(new URL("compose.yaml", FOLDER)), "utf8");
const example = readFileSync(fileURLToPath(new URL("env.example", FOLDER)), "utf8");
const { feather, ...others } = (
  parse(text) as { services: Record<string, { environment?: object; ports?: string[]; deploy?: object }> }
).services;

test("the compose file sets nothing that is not a setting", () => {
  expect(listSettingNames()).toEqual(expect.arrayContaining(Object.keys(feather?.environment ?? {})));
});

test("the compose file lets nobody in but this machine, and runs one server", () => {
  expect(feather?.ports).toEqual(["127.0.0.1:4000:4000"]);
  expect(Object.values(others).flatMap(({ ports = [] }) => ports)).toEqual([]);
  expect(feather?.deploy).not.toHaveProperty("replicas");
});

test("the example of an .env names each variable that the compose file cannot do without, and holds no secret", () => {
  const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const named = new Map([...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  expect([...named.keys()]).toEqual(expect.arrayContaining(needed));
  for (const name of needed.filter((name) => /SECRET|PASSWORD/.test(name ?? ""))) expect(named.get(name)).toBe("");
});
