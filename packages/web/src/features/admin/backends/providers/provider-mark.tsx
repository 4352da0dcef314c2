import styles from "./provider-mark.module.css";

/** Two letters of a provider's name on a neutral tile. Logos belong to their owners, so none are copied. */
export function ProviderMark({ name }: { name: string }) {
  return <span className={styles.mark} data-letters={toLetters(name)} aria-hidden="true" />;
}

/** Returns the first letter and the next capital one, or else the second letter. */
function toLetters(name: string): string {
  const letters = name.replaceAll(/[^\p{L}]/gu, "");
  const capital = /\p{Lu}/u.exec(letters.slice(1))?.[0];
  return `${letters.slice(0, 1)}${capital ?? letters.slice(1, 2)}`;
}
