/** A compiled page: strings, and elements as `[tag, attributes, ...children]`. */
export type ContentNode = string | readonly [tag: string, attributes: Attributes | null, ...children: ContentNode[]];
/** Attributes of an element. */
export type Attributes = Readonly<Record<string, string>>;
/** A heading that the table of contents lists. */
export type Heading = { id: string; text: string; level: 2 | 3 };
