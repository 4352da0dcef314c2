import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };

/** The number of the most common leaked passwords that new passwords may not be built from. */
const MAX_BASE_WORDS = 10_000;
/** Shorter words are too often part of random text. */
const MIN_BASE_WORD_LENGTH = 4;
/** Shorter passwords are rejected anyway. */
const MIN_PASSWORD_LENGTH = 10;

/** Leaked passwords of at least ten characters, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  passwords.filter(({ length }) => length >= MIN_PASSWORD_LENGTH),
);

/** The most common leaked passwords that consist of letters. */
export const COMMON_BASE_WORDS: ReadonlySet<string> = new Set(
  passwords.slice(0, MAX_BASE_WORDS).filter((password) => isWord(password)),
);

function isWord(password: string): boolean {
  return password.length >= MIN_BASE_WORD_LENGTH && /^\p{L}+$/u.test(password);
}
