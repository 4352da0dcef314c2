/** Secrets that may appear in a message: tokens of links, sessions and keys. */
const SECRET_PATTERN = /\b[a-z]{2,3}_[0-9A-Za-z]{49}\b/g;

/** Returns every secret in a text. */
export function findSecrets(text: string): string[] {
  return [...text.matchAll(SECRET_PATTERN)].map(([secret]) => secret);
}

/** Returns the text with each secret replaced. */
export function redactSecrets(text: string, replacement: string): string {
  return text.replaceAll(SECRET_PATTERN, replacement);
}
