/** Returns an answer as JSON text that ends with a line feed, so that the prompt of a shell does not stand behind it. */
export const toJsonText = (answer: unknown): string => endWithLineFeed(JSON.stringify(answer));

/** Returns a text with a line feed at its end. */
export const endWithLineFeed = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);
