/** Bounds on what a body of JSON consists of. Its size alone says little about the time that reading it takes. */
import type { FastifyInstance } from "fastify";
import { parse } from "secure-json-parse";
import { errors } from "../core/errors/index.ts";
import { mayHoldInexactNumbers, rememberNumber } from "../core/exact-json.ts";

/** How deep objects and lists may lie in each other. */
export const MAX_DEPTH = 128;
/** Properties of all objects together. A message has about three. */
export const MAX_PROPERTIES = 100_000;
/** Items of all lists and properties together. A prompt may be a list of 300,000 tokens. */
export const MAX_VALUES = 500_000;
/** Values of a body whose numbers are remembered as they were written, which takes about a microsecond for each. */
const MAX_EXACT_VALUES = 50_000;
/** Smaller bodies cannot hold enough to matter, in any form. */
const MIN_COUNTED_LENGTH = 64 * 1024;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** Lets Fastify read bodies of JSON as calls to models are read without it. */
export function addJsonParser(app: FastifyInstance): void {
  app.addContentTypeParser("application/json", { parseAs: "string" }, async (_request: unknown, text: string) =>
    parseJsonBody(text),
  );
}

/**
 * Returns the value of a body. Throws `invalid_request` for one above the bounds, and `invalid_json` for one that is no
 * JSON or that sets the prototype of an object.
 */
export function parseJsonBody(text: string): unknown {
  const values = refuseComplexJson(text);
  const reviver = values <= MAX_EXACT_VALUES && mayHoldInexactNumbers(text) ? rememberNumber : null;
  try {
    return parse(text, reviver, { protoAction: "error", constructorAction: "error" });
  } catch {
    throw errors.invalidJson();
  }
}

/**
 * Throws `invalid_request` for a text with too many properties or values, or that is nested too deeply, and returns how
 * many it has; 0 for a small one, which is not counted. The text need not be valid. Long strings cost next to nothing.
 */
export function refuseComplexJson(text: string): number {
  if (text.length < MIN_COUNTED_LENGTH) return 0;
  let depth = 0;
  let properties = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = findStringEnd(text, at);
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        values += 1;
        if (++depth > MAX_DEPTH) throw tooComplex("be nested", MAX_DEPTH, "levels deep");
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        break;
      case COLON:
        if (++properties > MAX_PROPERTIES) throw tooComplex("have", MAX_PROPERTIES, "properties");
        break;
      case COMMA:
        if (++values > MAX_VALUES) throw tooComplex("have", MAX_VALUES, "properties and items");
        break;
    }
  return properties + values;
}

/** Returns the place of the quote that ends the string that begins at `start`; the text's length if there is none. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function tooComplex(verb: string, max: number, what: string): Error {
  return errors.invalidRequest(`The body may ${verb} at most ${max} ${what}.`, { details: { max } });
}
