const OWNER = "[A-Za-z0-9][A-Za-z0-9._-]{0,95}";
// Ollama marks variants with a colon: llama3.2:3b.
const NAME = "[A-Za-z0-9][A-Za-z0-9._:-]{0,95}";
const MODEL_ID = new RegExp(`^${OWNER}/${NAME}$`);

/**
 * Returns whether a text has the form of a model id: `owner/name` of letters, digits, `.`, `_`, `-` and, in the name, `:`;
 * without `..` and without a dot at the end of either part.
 */
export function isModelId(id: string): boolean {
  return MODEL_ID.test(id) && !/\.(\.|\/|$)/.test(id);
}
