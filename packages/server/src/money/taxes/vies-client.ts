import { z } from "zod";
import type { Outgoing } from "../../platform/core/network/outgoing.ts";
import { SECOND_MS } from "../../platform/core/time.ts";

/** What VIES says of a VAT id, or the fault that it names instead. */
export type ViesAnswer =
  | { kind: "valid" | "invalid"; consultationNumber: string | null }
  | { kind: "unavailable"; fault: string };

/** The connection to VIES. `requester` is the operator's own VAT id, for which VIES gives a consultation number. */
export type ViesConnection = { url: string; requester: string; fetch: Outgoing["fetch"] };

/** Asks VIES about VAT ids. */
export type Vies = { check(vatId: string): Promise<ViesAnswer> };

/** Registers of member states may need more than ten seconds. */
const TIMEOUT_MS = 30 * SECOND_MS;
/** The fault of a response that cannot be read, and of none at all. */
const NO_ANSWER = "NO_ANSWER";

const answerSchema = z.object({ valid: z.boolean(), requestIdentifier: z.string().nullish() });
const faultSchema = z.object({ errorWrappers: z.array(z.object({ error: z.string() })).min(1) });

/** Creates the client of the REST API of VIES: https://ec.europa.eu/taxation_customs/vies/#/technical-information */
export function createVies(connection: ViesConnection): Vies {
  return { check: (vatId) => checkVatId(connection, vatId) };
}

async function checkVatId({ url, requester, fetch }: ViesConnection, vatId: string): Promise<ViesAnswer> {
  const [countryCode, vatNumber] = splitVatId(vatId);
  const [requesterMemberStateCode, requesterNumber] = splitVatId(requester);
  try {
    const response = await fetch(`${url}/check-vat-number`, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ countryCode, vatNumber, requesterMemberStateCode, requesterNumber }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return readAnswer(await response.json());
  } catch {
    return { kind: "unavailable", fault: NO_ANSWER };
  }
}

/** Reads a body. Faults come with different status codes, so the body alone decides. */
function readAnswer(body: unknown): ViesAnswer {
  const fault = faultSchema.safeParse(body).data?.errorWrappers[0]?.error;
  // The id does not have the form of its country, so nobody can have it.
  if (fault === "INVALID_INPUT") return { kind: "invalid", consultationNumber: null };
  if (fault !== undefined) return { kind: "unavailable", fault };
  const answer = answerSchema.safeParse(body).data;
  if (!answer) return { kind: "unavailable", fault: NO_ANSWER };
  return { kind: answer.valid ? "valid" : "invalid", consultationNumber: answer.requestIdentifier || null };
}

/** Returns the prefix of the country and the rest: VIES takes them apart, and calls Greece EL as VAT ids do. */
function splitVatId(vatId: string): [string, string] {
  return [vatId.slice(0, 2), vatId.slice(2)];
}
