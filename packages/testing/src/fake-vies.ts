/**
 * A stand-in for VIES, the register of VAT ids of the EU, which cannot be asked here. It is written from the description of its REST
 * API at https://ec.europa.eu/taxation_customs/vies/#/technical-information, and answers with the faults that the description of its
 * test service lists (https://ec.europa.eu/taxation_customs/vies/checkVatTestService.wsdl). Nothing here was run against VIES.
 */
import { type HttpServer, sendJson, startHttpServer } from "./http-server.ts";

/** The faults that VIES names instead of an answer. */
export const VIES_FAULTS = [
  "INVALID_INPUT",
  "INVALID_REQUESTER_INFO",
  "SERVICE_UNAVAILABLE",
  "MS_UNAVAILABLE",
  "TIMEOUT",
  "VAT_BLOCKED",
  "IP_BLOCKED",
  "GLOBAL_MAX_CONCURRENT_REQ",
  "GLOBAL_MAX_CONCURRENT_REQ_TIME",
  "MS_MAX_CONCURRENT_REQ",
  "MS_MAX_CONCURRENT_REQ_TIME",
] as const;

/** How the stand-in answers about an id: by the register, with a fault, or not in JSON like a proxy before it. */
export type ViesReply = "valid" | "invalid" | (typeof VIES_FAULTS)[number] | "NOT_JSON";

/** A running stand-in. Ids are written with their prefix, such as DE136695976; without a reply they are not valid. */
export type FakeVies = Pick<HttpServer, "url" | "requests" | "close"> & { replies: Map<string, ViesReply> };

/** Faults that say that the request is wrong have the status 400, the others 500. */
const WRONG_REQUEST: ReadonlySet<string> = new Set(["INVALID_INPUT", "INVALID_REQUESTER_INFO"]);
const COUNTRY_CODE = /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)$/;

/** Starts the stand-in. Consultation numbers are given to those who name themselves, and count up. */
export async function startFakeVies(): Promise<FakeVies> {
  const replies = new Map<string, ViesReply>();
  const server = await startHttpServer((request, response, count) => {
    if (request.method !== "POST" || request.url !== "/check-vat-number") return response.writeHead(404).end();
    const { countryCode, vatNumber, requesterMemberStateCode, requesterNumber } = JSON.parse(request.body) as Record<
      string,
      string | undefined
    >;
    const isNamed = COUNTRY_CODE.test(requesterMemberStateCode ?? "") && Boolean(requesterNumber);
    const reply = COUNTRY_CODE.test(countryCode ?? "")
      ? (replies.get(`${countryCode}${vatNumber}`) ?? "invalid")
      : "INVALID_INPUT";
    if (reply === "NOT_JSON") return response.writeHead(503, { "content-type": "text/html" }).end("<h1>Busy</h1>");
    if (reply !== "valid" && reply !== "invalid")
      return sendJson(response, WRONG_REQUEST.has(reply) ? 400 : 500, {
        actionSucceed: false,
        errorWrappers: [{ error: reply }],
      });
    const isValid = reply === "valid";
    return sendJson(response, 200, {
      countryCode,
      vatNumber,
      requestDate: "2026-03-01T00:00:00.000Z",
      valid: isValid,
      requestIdentifier: isNamed && isValid ? `WAPIAAAA${String(count).padStart(8, "0")}` : "",
      name: isValid ? "Feder GmbH" : "---",
      address: isValid ? "Weg 3, 10115 Berlin" : "---",
    });
  });
  return { url: server.url, requests: server.requests, replies, close: server.close };
}
