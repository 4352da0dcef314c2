import type { MailTemplateVariable } from "@feather/sdk";

/** Returns what stands for a variable in a text; a condition stands around `content`. */
export function toPlaceholder({ name, is_condition }: MailTemplateVariable, content: string): string {
  return is_condition ? `{{#${name}}}${content}{{/${name}}}` : `{{ ${name} }}`;
}
