import type { TemplateValues } from "../model/engine-model.ts";

/** Names of the same switch; templates read one of them. */
const THINKING_SWITCHES = ["enable_thinking", "thinking"];

/**
 * Returns the fields of a request that set template values which the template does not read, so that they change
 * nothing. Not to think, or with no effort, is what a model does that has no such switch.
 */
export function findUnreadValues(values: TemplateValues, reads: (name: string) => boolean): string[] {
  const isRead = (name: string) => {
    const names = THINKING_SWITCHES.includes(name) ? THINKING_SWITCHES : [name];
    return names.some(reads);
  };
  return Object.entries(values)
    .filter(([name, value]) => value !== false && value !== "none" && !isRead(name))
    .map(([name]) => (name === "reasoning_effort" ? name : `chat_template_kwargs.${name}`));
}
