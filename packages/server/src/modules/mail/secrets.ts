/** Secrets that may appear in a message: tokens of links, sessions and keys. */
const SECRETS = /\b[a-z]{2,3}_[0-9A-Za-z]{49}\b/g;

/** Returns every secret in a text. */
export function secretsIn(text: string): string[] {
  return [...text.matchAll(SECRETS)].map(([secret]) => secret);
}

/** Returns the text with each secret replaced. */
export function withoutSecrets(text: string, replacement: string): string {
  return text.replaceAll(SECRETS, replacement);
}
