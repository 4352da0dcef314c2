import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { errors } from "../../platform/core/errors/index.ts";
import { parseJsonBody } from "../bodies/json-body.ts";
import { bodyTooLarge, unsupportedMediaType } from "../framework-errors.ts";
import { type Validate, validationError } from "../validation.ts";

/** The field of a form that is its file. */
const FILE_FIELD = "file";
/** Fields that are objects, which a form has as JSON. */
const JSON_FIELDS: ReadonlySet<string> = new Set(["provider"]);
/** The form of a field's name; `[]` at its end says that the field is a list. */
const FIELD_NAME = /^([a-z]\w{0,63})(\[\])?$/i;
const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 256 * 1024;
const MAX_HEADERS_OF_PART = 20;
const MAX_HEADER_BYTES_OF_PART = 8 * 1024;

/** The values of a field, in their order. */
type FormField = { values: readonly string[]; isList: boolean };

/** A form as it was received: its fields by name, and its file; null without one. */
export type ReceivedForm = { fields: ReadonlyMap<string, FormField>; file: File | null; bytes: number };

/**
 * Receives a form into memory. Returns null if the caller disconnects before its end. Throws 413 for more than `maxBytes`, 415
 * without a content type, and `invalid_request` for a form that is cut, that has several files, or too much besides the
 * file; the rest is then not read.
 */
export function receiveForm(request: IncomingMessage, maxBytes: number): Promise<ReceivedForm | null> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"]) > maxBytes) return reject(bodyTooLarge(maxBytes));
    const parser = createParser(request);
    let bytes = 0;
    const refuse = (error: Error) => {
      request.off("data", onData).pause();
      reject(error);
    };
    const onData = (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxBytes) refuse(bodyTooLarge(maxBytes));
      else parser.write(part);
    };
    const fields = collectFields(parser, refuse);
    const findFile = collectFile(parser, refuse);
    parser.on("error", () => refuse(errors.invalidRequest("The form is not valid: it ends in the middle.")));
    parser.once("finish", () => resolve({ fields, file: findFile(), bytes }));
    request.on("data", onData);
    request.once("end", () => parser.end());
    request.once("error", () => resolve(null));
    request.once("close", () => {
      if (!request.complete) resolve(null);
    });
  });
}

/** Creates the parser of a form. Throws 415 without a content type, and `invalid_request` for one without a boundary. */
function createParser({ headers }: IncomingMessage): BusboyInstance {
  const { "content-type": type } = headers;
  if (type === undefined)
    throw unsupportedMediaType("Send the body as a form, with the header content-type: multipart/form-data.");
  const limits = {
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    files: 1,
    headerPairs: MAX_HEADERS_OF_PART,
    headerSize: MAX_HEADER_BYTES_OF_PART,
  };
  try {
    return new Busboy({ headers: { ...headers, "content-type": type }, limits });
  } catch {
    throw errors.invalidRequest("The header content-type has no boundary between the parts of the form.");
  }
}

/** Collects the fields of a form that are texts. `refuse` is called with the error for one that is not valid. */
function collectFields(parser: BusboyInstance, refuse: (error: Error) => void): ReadonlyMap<string, FormField> {
  const fields = new Map<string, FormField>();
  parser.on("field", (given, value, _isNameCut, isCut) => {
    const [, name, marks] = FIELD_NAME.exec(given ?? "") ?? [];
    if (name === undefined) return refuse(errors.invalidRequest("A field of the form has no valid name."));
    if (isCut) return refuse(fieldTooLarge(name));
    const { values = [], isList = false } = fields.get(name) ?? {};
    fields.set(name, { values: [...values, value], isList: isList || marks !== undefined });
  });
  parser.once("fieldsLimit", () => refuse(errors.invalidRequest(`A form may have at most ${MAX_FIELDS} fields.`)));
  return fields;
}

function fieldTooLarge(param: string): Error {
  const details = { max: MAX_FIELD_BYTES };
  return errors.payloadTooLarge(`${param} may hold at most ${MAX_FIELD_BYTES} bytes.`, { param, details });
}

/** Collects the file of a form. Returns the function that returns it when the form has been read; null without one. */
function collectFile(parser: BusboyInstance, refuse: (error: Error) => void): () => File | null {
  const parts: Buffer<ArrayBuffer>[] = [];
  let head: { name: string; type: string } | null = null;
  parser.on("file", (field, stream, name, _encoding, type) => {
    stream.on("error", () => {}); // the parser has it too
    if (field !== FILE_FIELD)
      refuse(errors.invalidRequest(`Send the file as ${FILE_FIELD}; no other field may be a file.`, { param: field }));
    head = { name: name || FILE_FIELD, type };
    stream.on("data", (part: Buffer<ArrayBuffer>) => void parts.push(part));
  });
  parser.once("filesLimit", () => refuse(errors.invalidRequest("Send one file only.", { param: FILE_FIELD })));
  return () => head && new File(parts, head.name, { type: head.type });
}

/**
 * Returns the body of a form, with its file as `file`, and values of the types that the contract gives them. Fields without a
 * value are left out. Throws `invalid_request` if there is no file or an empty one, or if the form is invalid by the contract.
 */
export function parseForm({ fields, file }: ReceivedForm, validate: Validate): Record<string, unknown> {
  if (file === null) throw errors.invalidRequest("Send the file in the field file of the form.", { param: FILE_FIELD });
  if (file.size === 0) throw errors.invalidRequest("The file is empty.", { param: FILE_FIELD });
  const body: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = toValue(name, field);
    if (value !== "") body[name] = value;
  }
  body[FILE_FIELD] = ""; // The contract describes its bytes as a text.
  if (!validate(body)) throw validationError(validate.errors ?? [], "body");
  return { ...body, [FILE_FIELD]: file };
}

function toValue(name: string, { values, isList }: FormField): unknown {
  const [first = ""] = values;
  if (isList || values.length > 1) return values;
  return JSON_FIELDS.has(name) && first !== "" ? parseJsonBody(first) : first;
}
