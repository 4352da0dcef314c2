import type { Prompt } from "@feather/sdk";
import { fillPrompt, promptVariables } from "@feather/sdk/prompts";
import type { SamplingOptions } from "../../chat/answer.ts";
import { findUsable } from "../../chat/find-prompt.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import type { ChatOptions } from "./options.ts";

/** The settings of personas that `feather chat` has too. */
const SAMPLING_NAMES = ["temperature", "top_p", "max_tokens"] as const;

/** Parses `name=value`, the value of a variable. Throws `UsageError`. */
export function parseVariables(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new UsageError(`--var ${text} has no value`, "--var language=Dutch");
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** Returns the options with the text of the prompt and the settings of the persona that they name. */
export async function applyLibrary(context: Context, options: ChatOptions): Promise<ChatOptions> {
  const { library } = options;
  if (library === undefined) return options;
  const client = await context.signedInClient();
  const { items } = await client.prompts.list({ signal: context.signal });
  const text =
    library.prompt === undefined ? "" : fill(findUsable(items, library.prompt, "message"), library.variables);
  const prompt = [text, options.prompt].filter((part) => part !== "").join("\n\n");
  if (library.persona === undefined) return { ...options, prompt };
  return withPersona(context, { ...options, prompt }, findUsable(items, library.persona, "persona"));
}

/** Returns the text of a prompt with its values. Throws `UsageError` for variables without a value, and for values without one. */
function fill({ name, text }: Prompt, values: Readonly<Record<string, string>>): string {
  const variables = promptVariables(text);
  const missing = variables.filter((variable) => !Object.hasOwn(values, variable));
  if (missing.length > 0)
    throw new UsageError(
      `the prompt ${name} needs ${missing.join(", ")}`,
      missing.map((variable) => `--var ${variable}=…`).join(" "),
    );
  const unknown = Object.keys(values).find((value) => !variables.includes(value));
  if (unknown !== undefined)
    throw new UsageError(
      `the prompt ${name} has no variable ${unknown}`,
      `feather prompts show ${JSON.stringify(name)}`,
    );
  return fillPrompt(text, values);
}

/** Returns the options with what they leave out taken from a persona, and says which of its settings are for the site alone. */
function withPersona({ output }: Context, options: ChatOptions, { text, model, settings }: Prompt): ChatOptions {
  const sampling: SamplingOptions = Object.fromEntries(
    SAMPLING_NAMES.filter((name) => typeof settings[name] === "number").map((name) => [name, settings[name]]),
  );
  const others = Object.keys(settings).filter((name) => !SAMPLING_NAMES.some((known) => known === name));
  if (others.length > 0)
    output.info(`Of the persona, these settings are for chats on the site only: ${others.join(", ")}.`);
  return {
    ...options,
    system: options.system ?? text,
    ...(options.model === undefined && model !== null && { model }),
    sampling: { ...sampling, ...options.sampling },
  };
}
