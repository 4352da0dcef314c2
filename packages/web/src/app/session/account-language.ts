import type { Language, User } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";
import { followLanguage, LANGUAGES, noteLanguageSaved, unsavedLanguage } from "#/lib/preferences/language.ts";

type AccountLanguage = Pick<User, "language" | "impersonated_by">;
type Calls = {
  save(language: Language): PromiseLike<unknown>;
  follow(language: string): void;
};

const CALLS: Calls = {
  save: (language) => feather.account.update({ language }),
  follow: followLanguage,
};

/**
 * Keeps the language of the site and that of the account the same: one that was chosen in this browser is saved in the
 * account, otherwise the account's is taken over. An admin who acts as somebody else keeps their own.
 */
export async function syncLanguage(user: AccountLanguage, { save, follow }: Calls = CALLS): Promise<void> {
  if (user.impersonated_by) return;
  const chosen = unsavedLanguage();
  if (chosen === null) {
    if (user.language !== null) follow(user.language);
    return;
  }
  try {
    if (chosen !== user.language && LANGUAGES.includes(chosen)) await save(chosen as Language);
    noteLanguageSaved();
  } catch {
    // The choice holds in this browser, and is saved at the next visit.
  }
}
