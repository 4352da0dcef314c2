import type { Messages } from "@lingui/core";

type Catalogue = { messages: Messages };

const TRANSLATED = import.meta.glob<Catalogue>([
  "../../locales/*.po",
  "!../../locales/en.po",
  "!../../locales/pseudo.po",
]);
/** Accented English, in which untranslated texts stand out; only in tests, and on request in a build. */
const PSEUDO = import.meta.env.PSEUDO_LOCALE ? import.meta.glob<Catalogue>("../../locales/pseudo.po") : {};
const LOADERS = { ...TRANSLATED, ...PSEUDO };

/** The languages that have a catalogue. English has none: its texts are in the code. */
export const CATALOGUE_LOCALES: readonly string[] = Object.keys(LOADERS).map((path) =>
  path.replace(/^.*\/|\.po$/g, ""),
);

/** Loads the messages of a language. Throws if it has no catalogue, or if that cannot be loaded. */
export async function loadMessages(locale: string): Promise<Messages> {
  const load = LOADERS[`../../locales/${locale}.po`];
  if (load === undefined) throw new Error(`There is no catalogue for ${locale}.`);
  return (await load()).messages;
}
