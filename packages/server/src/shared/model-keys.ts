/** Separates the organization from the id. The owner in a model id never has one. */
const SEPARATOR = ":";

/**
 * The key of an organization's private model, `org_…:owner/name`. The same id may be public, or another organization's,
 * so that rows, engines and usage go by the key. The key of a public model is its id.
 */
export const privateModelKey = (organizationId: string, id: string): string => `${organizationId}${SEPARATOR}${id}`;

/** Whether a text is the key of a private model, and not an id. */
export const isPrivateModelKey = (text: string): boolean => /^[^/:]+:/.test(text);

/** The id by which a model is called, from its key. */
export const modelIdOf = (key: string): string => key.replace(/^[^/:]*:/, "");
