import type { Prompt } from "@feather/sdk";
import { type ChatSettings, DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { settingsSchema } from "../conversation/settings-schema.ts";

/** Settings that a persona does not keep in its settings: its instructions and name are fields of it, and approvals are given in each chat. */
const LEFT_OUT: readonly string[] = ["system", "persona", "approved_tools"] satisfies (keyof ChatSettings)[];

/**
 * Returns the settings of a chat that begins with a persona. They are a copy: later changes of the persona do not change the chat.
 * Values that this version does not know are left out.
 */
export const toChatSettings = ({ name, text, settings }: Pick<Prompt, "name" | "text" | "settings">): ChatSettings => ({
  ...settingsSchema.parse({ ...DEFAULT_SETTINGS, ...settings }),
  system: text,
  persona: name,
  approved_tools: "",
});

/** Returns the settings that a persona keeps: those that differ from the defaults. */
export const toPersonaSettings = (settings: ChatSettings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => !LEFT_OUT.includes(name) && value !== DEFAULT_SETTINGS[name as keyof ChatSettings],
    ),
  );
