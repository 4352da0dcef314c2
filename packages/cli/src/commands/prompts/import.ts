import { randomUUID } from "node:crypto";
import type { Prompt, PromptWrite } from "@feather/sdk";
import { readBytes } from "../../chat/document-files.ts";
import type { Command } from "../../command.ts";
import { isRecord } from "../../config/record.ts";
import { UsageError } from "../../errors.ts";
import { ORGANIZATION_FLAG, writableBy } from "./stored-prompt.ts";

type PromptsImportOptions = { readonly path: string; readonly owner: Prompt["owner"]; readonly replaces: boolean };

/** The JSON of 1 MB of prompts is at most six times as long, where each character is escaped. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Stores prompts and personas of a file. */
export const promptsImport: Command<PromptsImportOptions> = {
  name: "prompts import",
  summary: "Store the prompts and personas of a file",
  description:
    "Reads what feather prompts export prints. One whose name and kind are there already is left as it is, unless --replace is given. The file is read as a whole before anything is stored.",
  arguments: [{ name: "<file>", summary: "the JSON" }],
  flags: [ORGANIZATION_FLAG, { name: "--replace", summary: "replace those that are there with the same name" }],
  prints: "json",
  needs: "sign-in",
  examples: ["feather prompts import prompts.json", "feather prompts import prompts.json --organization --replace"],
  options: ([path = ""], { organization, replace }) => ({
    path,
    owner: organization === true ? "organization" : "person",
    replaces: replace === true,
  }),
  async run({ client, output, signal }, { path, owner, replaces }) {
    const prompts = parsePrompts((await readBytes(path, MAX_FILE_BYTES)).toString("utf8"), path);
    const api = await client();
    const stored = (await api.prompts.list({ signal })).items.filter((one) => one.owner === owner);
    const outcomes = { stored: 0, replaced: 0, kept: 0 };
    for (const prompt of prompts) {
      const known = stored.find(({ name, kind }) => name === prompt.name && kind === prompt.kind);
      const outcome = known === undefined ? "stored" : replaces ? "replaced" : "kept";
      if (outcome !== "kept") {
        const body = { ...prompt, version: known?.version ?? 0 };
        await writableBy(api, owner).put(known?.id ?? randomUUID(), body, { signal });
      }
      outcomes[outcome] += 1;
    }
    if (output.json) output.printJson(outcomes);
    else output.print(describeOutcomes(outcomes));
  },
};

/** Returns the prompts of a file. Values that the server refuses are left to it. Throws `UsageError` for another file. */
function parsePrompts(text: string, path: string): Omit<PromptWrite, "version">[] {
  const file = parseJson(text);
  const prompts = isRecord(file) && Array.isArray(file.prompts) ? file.prompts : null;
  if (prompts === null || !prompts.every(isPrompt))
    throw new UsageError(`${path} holds no prompts`, "feather prompts export > prompts.json");
  return prompts.map(({ kind, name, text: written, model, settings }) => ({
    ...{ kind, name, text: written },
    ...(kind === "persona" && { model: model ?? null, settings: settings ?? {} }),
  }));
}

function isPrompt(value: unknown): value is Omit<PromptWrite, "version"> {
  if (!isRecord(value)) return false;
  const { kind, name, text, model = null, settings = {} } = value;
  const hasFields = (kind === "message" || kind === "persona") && typeof name === "string" && typeof text === "string";
  return hasFields && (model === null || typeof model === "string") && isRecord(settings);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeOutcomes({ stored, replaced, kept }: { stored: number; replaced: number; kept: number }): string {
  const parts = [`Stored ${stored}.`];
  if (replaced > 0) parts.push(`Replaced ${replaced}.`);
  if (kept > 0)
    parts.push(
      `${kept} ${kept === 1 ? "was" : "were"} there already and left as ${kept === 1 ? "it is" : "they are"}.`,
    );
  return parts.join(" ");
}
