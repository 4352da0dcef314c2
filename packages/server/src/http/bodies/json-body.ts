/** Limits on the structure of JSON bodies, whose size alone does not determine the time to parse them. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parse } from "secure-json-parse";
import { errors } from "../../platform/core/errors/index.ts";
import { mayHoldInexactNumbers, rememberNumber } from "../../platform/core/exact-json.ts";

/** The deepest nesting of objects and lists. */
export const MAX_DEPTH = 128;
/** The number of properties of all objects together. A message has about three. */
export const MAX_PROPERTIES = 100_000;
/** The number of items of all lists and of properties together. A prompt may be a list of 300,000 tokens. */
export const MAX_VALUES = 500_000;
/**
 * The largest number of values of a body for which the original spelling of numbers is kept. That takes about a microsecond
 * per value.
 */
const MAX_EXACT_VALUES = 50_000;
/** Shorter bodies cannot have enough values to take long. */
const MIN_COUNTED_LENGTH = 64 * 1024;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** Where signed bodies arrive; in which header the signature is, the payment service says. */
const SIGNED_PATHS = ["/payments/stripe/webhook", "/payments/webhook"];

/** Makes Fastify parse JSON bodies as those of calls to models are parsed. */
export function addJsonParser(app: FastifyInstance): void {
  app.addContentTypeParser("application/json", { parseAs: "string" }, async (request: FastifyRequest, text: string) => {
    const { url = "" } = request.routeOptions;
    if (SIGNED_PATHS.some((path) => url.endsWith(path))) request.signedBody = text;
    return parseJsonBody(text);
  });
}

/** The header of messages of Amazon SNS, which are JSON that is said to be plain text. */
const SNS_HEADER = "x-amz-sns-message-type";

/** Makes Fastify parse the messages of Amazon SNS as JSON, and leave other plain text as it is. */
export function addSnsParser(app: FastifyInstance): void {
  app.addContentTypeParser("text/plain", { parseAs: "string" }, async (request: FastifyRequest, text: string) =>
    request.headers[SNS_HEADER] === undefined ? text : parseJsonBody(text),
  );
}

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it arrived, of a request whose sender signed it. */
    signedBody?: string;
  }
}

/**
 * Returns the value of a body. Throws `invalid_request` above the limits, and `invalid_json` for invalid JSON and for JSON
 * that sets the prototype of an object.
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
 * Returns the number of values in a text; 0 for a short text, which is not counted. Throws `invalid_request` if it has too
 * many properties or values, or is nested too deeply. The text need not be valid. Long strings cost next to nothing.
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

/** Returns the position of the quote that ends the string that begins at `start`; the text's length if there is none. */
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
