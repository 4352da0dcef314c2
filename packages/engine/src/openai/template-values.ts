import type { TemplateValues } from "../model/engine-model.ts";
import { invalidRequest } from "./errors.ts";

const PARAM = "chat_template_kwargs";
const MAX_NAMES = 32;
const MAX_CHARACTERS = 4096;

/** Variables with which the conversation itself reaches a template. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "add_generation_prompt",
  "bos_token",
  "continue_final_message",
  "eos_token",
  "eot_token",
  "messages",
  "tools",
]);

/**
 * Returns the values for variables of the model's template: `chat_template_kwargs`, and `reasoning_effort` as the
 * variable of that name. Throws for a name that the conversation itself fills, and for more than a template needs.
 */
export function toTemplateValues(request: {
  chat_template_kwargs?: Record<string, unknown> | null | undefined;
  reasoning_effort?: string | null | undefined;
}): TemplateValues {
  const given = Object.entries(request.chat_template_kwargs ?? {}).filter(([, value]) => value !== null);
  for (const [name] of given) {
    if (RESERVED_NAMES.has(name)) {
      throw invalidRequest(`${PARAM} must not set ${name}, which the conversation itself fills.`, `${PARAM}.${name}`);
    }
    if (!/^[A-Za-z_]\w{0,63}$/.test(name)) {
      throw invalidRequest(
        `${PARAM} has a name that no template can read: ${JSON.stringify(name.slice(0, 80))}.`,
        PARAM,
      );
    }
  }
  if (given.length > MAX_NAMES || JSON.stringify(given).length > MAX_CHARACTERS) {
    throw invalidRequest(`${PARAM} takes up to ${MAX_NAMES} names and ${MAX_CHARACTERS} characters of JSON.`, PARAM);
  }
  const { reasoning_effort } = request;
  return { ...(reasoning_effort && { reasoning_effort }), ...Object.fromEntries(given) };
}
