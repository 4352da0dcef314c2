/** Writes `generated/`: the contract as one document, and its types. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addCommonResponses, type DocumentWithResponses } from "./common-responses.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const bundlePath = here("generated/openapi.json");
mkdirSync(here("generated"), { recursive: true });
execFileSync(here("node_modules/.bin/redocly"), ["bundle", here("openapi.yaml"), "-o", bundlePath], {
  cwd: here("."),
  stdio: ["ignore", "ignore", "pipe"],
});
const withCommonResponses = JSON.parse(readFileSync(bundlePath, "utf8")) as DocumentWithResponses;
addCommonResponses(withCommonResponses);
writeFileSync(bundlePath, `${JSON.stringify(withCommonResponses, null, 2)}\n`);
execFileSync(
  here("node_modules/.bin/openapi-typescript"),
  [bundlePath, "-o", here("generated/schema.ts"), "--alphabetize=false"],
  { stdio: ["ignore", "ignore", "pipe"] },
);
