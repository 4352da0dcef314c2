import type { ChatSettings } from "../conversation/settings.ts";

/** How many collections a search takes at once. */
export const MAX_CHOSEN_COLLECTIONS = 10;

/** Returns the ids of the collections that the questions of a conversation search. */
export const chosenCollections = ({ collections }: Pick<ChatSettings, "collections">): string[] =>
  collections.split("\n").filter((line) => line !== "");

/** Returns the settings with other chosen collections. */
export const withChosenCollections = (settings: ChatSettings, ids: readonly string[]): ChatSettings => ({
  ...settings,
  collections: ids.slice(0, MAX_CHOSEN_COLLECTIONS).join("\n"),
});
