/** Returns the path at which the server serves a page of the docs as Markdown. */
export const toMarkdownPath = (path: string): string => `${path}.md`;
