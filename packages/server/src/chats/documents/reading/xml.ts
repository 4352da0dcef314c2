import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import sax, { type Tag } from "sax";
import { UnreadableDocumentError } from "./outcome.ts";

/** Attributes of an element by their names without prefix. */
export type Attributes = Readonly<Record<string, string>>;

/** What a reader does with the parts of an XML text. Names have no prefix. */
export type XmlHandlers = {
  onOpen?(name: string, attributes: Attributes): void;
  onClose?(name: string): void;
  onText?(text: string): void;
};

/**
 * Parses XML while it is unpacked, so that it is never in memory as a whole. Stops early when `isDone` says so. Throws
 * `UnreadableDocumentError` for invalid XML, and for a document type, which can define entities and which Office files never
 * have.
 */
export async function parseXml(stream: Readable, handlers: XmlHandlers, isDone = () => false): Promise<void> {
  const parser = sax.parser(true, { position: false });
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new UnreadableDocumentError({ kind: "damaged" });
  };
  parser.onopentag = ({ name, attributes }) =>
    handlers.onOpen?.(withoutPrefix(name), toAttributes(attributes as Tag["attributes"]));
  parser.onclosetag = (name) => handlers.onClose?.(withoutPrefix(name));
  parser.ontext = (text) => handlers.onText?.(text);
  parser.oncdata = (text) => handlers.onText?.(text);
  const decoder = new StringDecoder("utf8");
  for await (const part of stream) {
    parser.write(decoder.write(part as Buffer));
    if (isDone()) return;
  }
  parser.write(decoder.end()).close();
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1);

/** A loop, since a workbook has millions of elements. */
function toAttributes(given: Tag["attributes"]): Attributes {
  const attributes: Record<string, string> = {};
  for (const name in given) attributes[withoutPrefix(name)] = given[name] ?? "";
  return attributes;
}
