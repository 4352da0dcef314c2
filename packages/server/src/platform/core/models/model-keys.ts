/** Separates organization and model id. The owner part of a model id never contains it. */
const SEPARATOR = ":";

/**
 * Returns the key of an organization's private model, `org_…:owner/name`. The same id may also be public or belong to
 * another organization, so rows, engines and usage use the key. The key of a public model is its id.
 */
export const privateModelKey = (organizationId: string, id: string): string => `${organizationId}${SEPARATOR}${id}`;

/** Returns whether a text is the key of a private model, not an id. */
export const isPrivateModelKey = (text: string): boolean => /^[^/:]+:/.test(text);

/**
 * Returns the id of the organization that a model is private to, from the model's key; null for the key of a public model.
 */
export const organizationIdOf = (key: string): string | null => /^([^/:]+):/.exec(key)?.[1] ?? null;

/** Returns the id by which a model is called, from its key. */
export const modelIdOf = (key: string): string => key.replace(/^[^/:]*:/, "");
