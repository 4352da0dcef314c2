import type { Messages } from "@lingui/core";

type Catalogue = { messages: Messages };

const TRANSLATED = import.meta.glob<Catalogue>([
  "../../locales/*.po",
  "!../../locales/en.po",
  "!../../locales/pseudo.po",
]);
/** Accented English, in which untranslated texts stand out; only in tests, and on request in a build. */
const PSEUDO = import.meta.env.PSEUDO_LOCALE ? import.meta.glob<Catalogue>("../../locales/pseudo.po") : {};

/** Loaders of the message catalogues for every language except English, by locale. */
export const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = Object.fromEntries(
  Object.entries({ ...TRANSLATED, ...PSEUDO }).map(([path, load]) => [path.replace(/^.*\/|\.po$/g, ""), load]),
);
