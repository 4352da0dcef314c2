import { randomUUID } from "node:crypto";
import type { PromptWrite } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalNumber, parseNumberBetween } from "../../flags.ts";
import { readAll } from "../../input.ts";
import {
  ORGANIZATION_FLAG,
  PERSONA_FLAG,
  PROMPT_ARGUMENT,
  PROMPT_FIELDS,
  type PromptOptions,
  toPromptOptions,
  writableBy,
} from "./stored-prompt.ts";

/** The prompt, and what is changed of it. */
type PromptsSetOptions = PromptOptions & {
  /** Its text; read from stdin if empty. */
  readonly text: string;
  /** The model of a persona; left out to keep the one that it has. */
  readonly model?: string;
  /** The settings of a persona that are changed. */
  readonly settings: Readonly<Record<string, number>>;
};

/** Creates a prompt or persona, or changes the one of the name. */
export const promptsSet: Command<PromptsSetOptions> = {
  name: "prompts set",
  summary: "Write or change a prompt or a persona",
  description:
    "Without a text, it is read from stdin. {{name}} in the text of a prompt is a variable. Of a persona, the model and the settings that are left out stay as they are. Refused when somebody else changed it at the same time.",
  arguments: [PROMPT_ARGUMENT, { name: "[text...]", summary: "its text; stdin if left out" }],
  flags: [
    PERSONA_FLAG,
    ORGANIZATION_FLAG,
    { name: "-m, --model <id>", summary: "the model of a persona; any: none of its own", values: "models" },
    { name: "--temperature <number>", summary: "of a persona, 0 to 2", parse: parseNumberBetween(0, 2, false) },
    { name: "--top-p <number>", summary: "of a persona, 0.01 to 1", parse: parseNumberBetween(0.01, 1, false) },
    {
      name: "--max-tokens <number>",
      summary: "of a persona: longest answer",
      parse: parseNumberBetween(1, 1_000_000, true),
    },
  ],
  prints: "one",
  fields: PROMPT_FIELDS,
  needs: "sign-in",
  examples: [
    'feather prompts set Translate "Translate into {{language}}: {{text}}"',
    "feather prompts set Reviewer --persona --temperature 0.2 < reviewer.md",
    'feather prompts set Support --persona --organization -m Qwen/Qwen3-32B "You answer our customers."',
  ],
  options([name = "", ...words], flags) {
    const options = toPromptOptions([name], flags);
    const settings = {
      ...optionalNumber("temperature", flags.temperature),
      ...(typeof flags.topP === "number" && { top_p: flags.topP }),
      ...(typeof flags.maxTokens === "number" && { max_tokens: flags.maxTokens }),
    };
    const model = typeof flags.model === "string" ? flags.model : undefined;
    if (options.kind === "message" && (model !== undefined || Object.keys(settings).length > 0))
      throw new UsageError("only a persona has a model and settings", "--persona");
    return { ...options, text: words.join(" "), ...(model !== undefined && { model }), settings };
  },
  async run({ client, io, output, signal }, { name, kind, owner, text: given, model, settings }) {
    const text = given === "" && io.stdin.isTTY !== true ? (await readAll(io.stdin)).trimEnd() : given;
    const api = await client();
    const { items } = await api.prompts.list({ signal });
    const stored = items.find((one) => one.name === name && one.kind === kind && one.owner === owner);
    if (text === "" && stored === undefined)
      throw new UsageError("there is no text", `feather prompts set ${name} "Translate into {{language}}."`);
    const ofPersona = {
      model: model === "any" ? null : (model ?? stored?.model ?? null),
      settings: { ...stored?.settings, ...settings },
    };
    const body: PromptWrite = {
      ...{ version: stored?.version ?? 0, kind, name, text: text || (stored?.text ?? "") },
      ...(kind === "persona" && ofPersona),
    };
    const prompt = await writableBy(api, owner).put(stored?.id ?? randomUUID(), body, { signal });
    output.printChange({ value: prompt, id: prompt.name, message: `${stored ? "Changed" : "Stored"} ${prompt.name}.` });
  },
};
